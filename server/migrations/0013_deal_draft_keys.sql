-- The key under which a browser sends a new row. One that comes again, because the answer was lost, is found by it,
-- however late: what was typed may wait in a browser longer than answers are kept.

alter table deals add column draft_key uuid;
create unique index deals_draft_key on deals (created_by, draft_key) where draft_key is not null;

-- Deleted rows as administrators list them, and as they leave for good.
create index deals_deleted on deals (deleted_at desc, id desc) where deleted_at is not null;
