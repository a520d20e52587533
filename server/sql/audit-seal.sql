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
