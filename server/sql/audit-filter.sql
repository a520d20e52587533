with places as materialized(
    (
      select distinct thousand
      from (
        select thousand, quarter, entity, action, entries, by_people, first_id, last_id
        from audit_counts
        union all
        select id / 1000,
          date_bin('15 minutes', created_at, 'epoch'),
          entity,
          action,
          1,
          num_nonnulls(actor_id),
          id,
          id
        from (
          select *
          from audit_entries
          where xid >= $1::xid8
            and not exists (select from audit_seal_entries where entry_id = audit_entries.id)
        ) as entry
      ) as counts
      where true and entity = $2 and thousand <= $3::bigint
    )
    order by thousand desc
    limit $4
  ),
  parts as materialized(
    select unnest(
      (
        select range_agg(int8range(first_id, last_id + 1))
        from (
          select thousand, quarter, entity, action, entries, by_people, first_id, last_id
          from audit_counts
          union all
          select id / 1000,
            date_bin('15 minutes', created_at, 'epoch'),
            entity,
            action,
            1,
            num_nonnulls(actor_id),
            id,
            id
          from (
            select *
            from audit_entries
            where xid >= $5::xid8
              and not exists (select from audit_seal_entries where entry_id = audit_entries.id)
          ) as entry
        ) as counts
        where true and entity = $6 and thousand in (select thousand from places)
      )
    ) as ids
  ),
  found as (
    select entry.id
    from parts,
      lateral(
        select id
        from audit_entries
        where id >= lower(ids) and id < least(upper(ids), $7) and true and entity = $8
        order by id desc
        limit $9
      ) as entry
    order by entry.id desc
    limit $10
  )
select (select coalesce(json_agg(id order by id desc), '[]') from found) as ids,
  count(*) as places,
  min(thousand) as lowest
from places
