with fresh as (
    select entry, xid, id
    from audit_entries as entry
    where xid >= $1::xid8 and not exists (select from audit_seal_entries where entry_id = entry.id)
    order by xid, id
    limit $2
  ),
  sealed as (
    insert into audit_seal_entries(entry_id, seal, digest)
    select fresh.id,
      $3,
      audit_digest(
        fresh.entry,
        coalesce(
          (select values_digest from audit_redactions where entry_id = fresh.id),
          audit_values_digest((fresh.entry).salt, (fresh.entry).before, (fresh.entry).after)
        )
      )
    from fresh
    returning entry_id, digest
  ),
  counted as (
    insert into audit_counts as counts(
      thousand, quarter, entity, action, entries, by_people, first_id, last_id
    )
    select id / 1000,
      date_bin('15 minutes', created_at, 'epoch'),
      entity,
      action,
      count(*),
      count(actor_id),
      min(id),
      max(id)
    from (select (entry).* from fresh) as entry
    group by 1, 2, 3, 4
    on conflict(quarter, thousand, entity, action)
    do update
    set entries = counts.entries + excluded.entries,
      by_people = counts.by_people + excluded.by_people,
      first_id = least(counts.first_id, excluded.first_id),
      last_id = greatest(counts.last_id, excluded.last_id)
  ),
  counted_people as (
    insert into audit_people as people(actor_id, thousand, actions, first_id, last_id)
    select actor_id, id / 1000, count(*) filter (where entity <> 'session'), min(id), max(id)
    from (select (entry).* from fresh) as entry
    where actor_id is not null
    group by 1, 2
    on conflict(actor_id, thousand)
    do update
    set actions = people.actions + excluded.actions,
      first_id = least(people.first_id, excluded.first_id),
      last_id = greatest(people.last_id, excluded.last_id)
  )
select count(*)::int as entries,
  sha256(string_agg(digest, ''::bytea order by entry_id)) as digest,
  (
    case
    when count(*) < $4 then pg_snapshot_xmin(pg_current_snapshot())
    else least(pg_snapshot_xmin(pg_current_snapshot()), (select max(xid) from fresh))
    end
  )::text as horizon
from sealed
