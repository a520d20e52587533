select "part"."status_id" as "key",
  (select name from "statuses" as named where named.id = "part"."status_id") as "name",
  coalesce(sum("part"."deals") filter (where true), 0)::integer as "deals",
  coalesce(sum("part"."sale_amount") filter (where true), 0) as "saleAmount",
  coalesce(sum("part"."gross_profit") filter (where true), 0) as "grossProfit",
  case
    when coalesce(
      sum("part"."with_rate") filter (
        where "part"."status_id" = any (
          array(select id from statuses where counts_for_commission is not false)
        )
      ),
      0
    ) > 0
    or coalesce(
      sum("part"."without_rate") filter (
        where "part"."status_id" = any (
          array(select id from statuses where counts_for_commission is not false)
        )
      ),
      0
    ) = 0
    and exists (select from settings where name like 'commission.%') then coalesce(
      sum("part"."commission") filter (
        where "part"."status_id" = any (
          array(select id from statuses where counts_for_commission is not false)
        )
      ),
      0
    )
    end as "commission",
  coalesce(
    sum("part"."without_rate") filter (
      where "part"."status_id" = any (array(select id from statuses where counts_for_commission is not false))
    ),
    0
  )::integer as "withoutRate",
  coalesce(sum("part"."deals") filter (where part.status_id = $1), 0)::integer as "won",
  coalesce(sum("part"."deals") filter (where part.status_id = $2), 0)::integer as "lost",
  round(
    coalesce(
      sum("part"."closing_seconds") filter (where part.status_id = $3), 0
    ) / nullif(
      coalesce(sum("part"."closed") filter (where part.status_id = $4), 0), 0
    ) / 86400,
    1
  ) as "daysToClose"
from (
  select *
  from (
    select "month",
      "dealership_id",
      "status_id",
      "owner_id",
      "deals",
      "sale_amount",
      "gross_profit",
      "commission",
      "with_rate",
      "without_rate",
      "closed",
      "closing_seconds"
    from "deal_sums"
    union all
    select "month",
      "dealership_id",
      "status_id",
      "owner_id",
      "deals",
      "sale_amount",
      "gross_profit",
      "commission",
      "with_rate",
      "without_rate",
      "closed",
      "closing_seconds"
    from "deal_sum_changes"
  ) as "deals"
  where (true and "deals"."month" = $5 and true) and 1 = 1
) as "part"
group by grouping sets(("part"."status_id"), ())
having grouping("part"."status_id") = 1 or sum(part.deals) <> 0
order by grouping("part"."status_id"), (select position from statuses where statuses.id = part.status_id)
