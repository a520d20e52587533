-- What concerns a person, and since when a row is closed.

create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('shared', 'handedOver', 'followUp', 'emailFailed', 'exportReady')),
  -- The deal, the email or the export; it may be gone by now. Of several records the first.
  record_id uuid not null,
  -- How many records there are in all: many at once are one piece of news.
  count integer not null default 1 check (count >= 1),
  -- Who did it; null: the program.
  by_id uuid references users on delete set null,
  at timestamptz not null default now(),
  read_at timestamptz,
  -- A follow-up is due once for each time that somebody set.
  unique (user_id, kind, record_id, at)
);
create index notifications_newest on notifications (user_id, at desc, id desc);
create index deals_to_call on deals (owner_id, follow_up_at) where deleted_at is null and follow_up_at is not null;

-- When a row came to a closed status: what time to close is counted by. A trigger, since rows get their status in
-- many ways: one by one, many at once, by import and by replacing a status.
alter table deals add column closed_at timestamptz;

create function note_closing() returns trigger language plpgsql as $$
declare
  -- Unknown while a backup is read whose statuses come later: the row keeps what it says.
  closed boolean := (select is_closed from statuses where id = new.status_id);
begin
  if tg_op = 'UPDATE' and new.status_id = old.status_id then
    return new;
  end if;
  if not closed then
    new.closed_at := null;
  elsif closed and new.closed_at is null then
    new.closed_at := now();
  end if;
  return new;
end $$;
create trigger deals_closing before insert or update of status_id on deals
  for each row execute function note_closing();

-- Rows of before: when they last got a status, which the audit knows.
update deals set closed_at = coalesce(
  (select max(at) from audit_entries where record_id = deals.id and after ? 'status'), deals.updated_at)
where status_id in (select id from statuses where is_closed);
