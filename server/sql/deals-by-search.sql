select string_agg(page.id::text, ',') as "ids",
  string_agg(page.stamp::text, ',') as "stamps",
  (array_agg(page.sort_value))[$1::integer]::text as "last_value",
  pg_current_snapshot()::text as "snapshot",
  (
    select case
      when count(*) > 5000 then '*'
      else string_agg(coalesce(deal_id::text, '*'), ',') filter (
        where not pg_visible_in_snapshot(xid, $2::pg_snapshot)
      )
      end
    from (
      select xid, deal_id
      from deal_part_changes
      where xid >= pg_snapshot_xmin($3::pg_snapshot)
      order by xid
      limit 5001
    ) as recent
  ) as "changed"
from (
  select "deals"."id", deals.xmin as "stamp", "deals"."created_at" as "sort_value"
  from "deals"
  where deals.id = any ($4::uuid[])
  order by sort_value desc, deals.id desc
  limit $5
) as "page"
