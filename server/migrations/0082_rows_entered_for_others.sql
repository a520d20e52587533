-- Not breaking: the index keeps its name and its columns, and is unique for the same rows.

-- For people who see only their own rows: it also finds those that they entered and somebody else owns.
drop index deals_draft_key;
create unique index deals_draft_key on deals (created_by, draft_key)
  where draft_key is not null or owner_id <> created_by;
