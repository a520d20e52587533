select "sold"."item_id" as "key",
  (select name from "items" as named where named.id = "sold"."item_id") as "name",
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
  ) as "daysToClose",
  coalesce(sum(sold.quantity), 0)::float8 as "quantity",
  coalesce(sum(sold.amount), 0) as "itemAmount"
from (
  select "deals"."id",
    "deals"."month",
    "deals"."dealership_id",
    "deals"."status_id",
    "deals"."owner_id",
    1 as "deals",
    "deals"."sale_amount",
    deals.sale_amount - deals.cost_amount as "gross_profit",
    "deals"."commission",
    (deals.commission is not null)::integer as "with_rate",
    (deals.sale_amount is not null and deals.commission_rate is null)::integer as "without_rate",
    (deals.closed_at is not null)::integer as "closed",
    extract(epoch from deals.closed_at - deals.created_at) as "closing_seconds"
  from "deals"
  where ("deals"."deleted_at" is null and (true and true)) and (deals.month >= $5 and deals.month <= $6)
) as "part"
left join lateral(
  select "deal_items"."item_id", sum(quantity) as "quantity", sum(quantity * unit_price) as "amount"
  from "deal_items"
  where "deal_items"."deal_id" = "part"."id"
  group by "deal_items"."item_id"
) as "sold" on true
group by "sold"."item_id"
order by (select name from "items" as named where named.id = "sold"."item_id") collate "en-AU-x-icu"
