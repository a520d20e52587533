-- What a user did in one go: a paste, a fill, an import, or the cells typed in one minute. The rows and their values
-- are in the audit entries.
create table change_sets (
  id uuid primary key,
  kind text not null check (kind in ('edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api')),
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  -- Counts of its entries up to this one; null: not counted yet.
  counted_to bigint,
  rows integer,
  added integer,
  changed integer,
  deleted integer,
  restored integer,
  first_row uuid,
  first_month text,
  last_month text,
  last_at timestamptz
);
create index change_sets_uncounted on change_sets (created_at) where counted_to is null;
comment on column change_sets.created_by is 'No foreign key: as audit_entries.actor_id.';
create index change_sets_newest on change_sets (created_at, id);
create index change_sets_by_person on change_sets (created_by, created_at, id);

alter table audit_entries add column change_set_id uuid;
comment on column audit_entries.change_set_id is 'No foreign key: the check of an order of inserts would cost every write of a cell.';
create index audit_entries_change_set on audit_entries (change_set_id, id) where change_set_id is not null;

-- Entries without a change set keep the digest with which they were sealed.
create or replace function audit_digest(entry audit_entries, values_digest bytea) returns bytea language sql stable as $$
  select sha256(convert_to((jsonb_build_array(
    entry.id, entry.created_at at time zone 'UTC', entry.actor_id, entry.actor_name, entry.ip, entry.request_id,
    entry.action, entry.entity, entry.record_id, entry.version, encode(values_digest, 'hex')
  ) || case when entry.change_set_id is null then '[]' else jsonb_build_array(entry.change_set_id) end)::text, 'UTF8'))
$$;
