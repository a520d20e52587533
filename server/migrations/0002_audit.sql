-- What happened, who did it, and how the record looked before and after. Each entry is also a live event:
-- xid tells readers which entries they can have missed, since ids are given before their transaction commits.

create table audit_entries (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  actor_id uuid,
  actor_name text not null,
  ip text not null,
  request_id text not null,
  action text not null,
  entity text not null,
  record_id uuid,
  version integer,
  before jsonb,
  after jsonb
);
create index audit_entries_xid on audit_entries (xid);
create index audit_entries_record on audit_entries (record_id, id);
create index audit_entries_at on audit_entries (at);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries cannot be changed or removed';
end
$$;

create trigger audit_entries_are_final before update or delete on audit_entries
  for each row execute function refuse_change_of_audit();
create trigger audit_entries_stay before truncate on audit_entries
  for each statement execute function refuse_change_of_audit();
