-- Not breaking: a seal of the former release is counted too.
-- Counts of the sealed audit entries, instead of indexes that each new entry would pay for: sealing entries counts them. A thousand has the entries of a thousand ids.
create table audit_counts (
  thousand bigint not null,
  -- The quarter of an hour in which the entries were written: all time zones differ by quarters.
  quarter timestamptz not null,
  entity text not null,
  action text not null,
  entries integer not null,
  -- Those of people, and not of the program.
  by_people integer not null,
  first_id bigint not null,
  last_id bigint not null,
  unique (quarter, thousand, entity, action)
);
comment on column audit_counts.first_id is 'The first entry. No foreign key: as audit_redactions.entry_id.';
comment on column audit_counts.last_id is 'The last entry. No foreign key: as audit_redactions.entry_id.';
create index audit_counts_thousand on audit_counts (thousand);

-- The same by person. Not by time too: most quarters have one entry of a person.
create table audit_people (
  actor_id uuid not null,
  thousand bigint not null,
  -- Without sign-ins and sign-outs.
  actions integer not null,
  first_id bigint not null,
  last_id bigint not null,
  primary key (actor_id, thousand)
);
comment on column audit_people.actor_id is 'No foreign key: as audit_entries.actor_id.';
comment on column audit_people.first_id is 'The first entry. No foreign key: as audit_redactions.entry_id.';
comment on column audit_people.last_id is 'The last entry. No foreign key: as audit_redactions.entry_id.';

create function count_sealed_entries() returns trigger language plpgsql as $$
begin
  insert into audit_counts as counts
  select id / 1000, date_bin('15 minutes', created_at, 'epoch'), entity, action, count(*), count(actor_id), min(id), max(id)
  from sealed join audit_entries on id = entry_id
  group by 1, 2, 3, 4
  on conflict (quarter, thousand, entity, action) do update set
    entries = counts.entries + excluded.entries, by_people = counts.by_people + excluded.by_people,
    first_id = least(counts.first_id, excluded.first_id), last_id = greatest(counts.last_id, excluded.last_id);
  insert into audit_people as people
  select actor_id, id / 1000, count(*) filter (where entity <> 'session'), min(id), max(id)
  from sealed join audit_entries on id = entry_id
  where actor_id is not null
  group by 1, 2
  on conflict (actor_id, thousand) do update set
    actions = people.actions + excluded.actions,
    first_id = least(people.first_id, excluded.first_id), last_id = greatest(people.last_id, excluded.last_id);
  return null;
end $$;
-- Before the entries are counted that are sealed already: sealing waits until this migration ends.
create trigger count_sealed_entries after insert on audit_seal_entries referencing new table as sealed
  for each statement execute function count_sealed_entries();

insert into audit_counts
select id / 1000, date_bin('15 minutes', created_at, 'epoch'), entity, action, count(*), count(actor_id), min(id), max(id)
from audit_entries join audit_seal_entries on entry_id = id
group by 1, 2, 3, 4 order by 1, 2;

insert into audit_people
select actor_id, id / 1000, count(*) filter (where entity <> 'session'), min(id), max(id)
from audit_entries join audit_seal_entries on entry_id = id
where actor_id is not null
group by 1, 2 order by 2;

drop index audit_entries_created_at;
drop index audit_entries_sessions;
