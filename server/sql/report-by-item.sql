select "part"."item_id" as "key",
  (select name from "items" as named where named.id = "part"."item_id") as "name",
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
  coalesce(sum(part.quantity), 0)::float8 as "quantity",
  coalesce(sum(part.amount), 0) as "itemAmount"
from (
  select "month",
    "dealership_id",
    "status_id",
    "item_id",
    "deals",
    "sale_amount",
    "gross_profit",
    "commission",
    "with_rate",
    "without_rate",
    "closed",
    "closing_seconds",
    "quantity",
    "amount"
  from "deal_item_sums" as "deals"
  where (true and true)
    and (
      deals.month >= $5
      and deals.month <= $6
      and deals.month <> all (array(select distinct month from deal_sum_changes))
    )
  union all
  select "part"."month",
    "part"."dealership_id",
    "part"."status_id",
    "sold"."item_id",
    "part"."deals" as "deals",
    "part"."sale_amount" as "sale_amount",
    "part"."gross_profit" as "gross_profit",
    "part"."commission" as "commission",
    "part"."with_rate" as "with_rate",
    "part"."without_rate" as "without_rate",
    "part"."closed" as "closed",
    "part"."closing_seconds" as "closing_seconds",
    "sold"."quantity",
    "sold"."amount"
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
    where ("deals"."deleted_at" is null and (true and true))
      and (
        deals.month >= $7
        and deals.month <= $8
        and deals.month = any (array(select distinct month from deal_sum_changes))
      )
  ) as "part"
  left join lateral(
    select "deal_items"."item_id", sum(quantity) as "quantity", sum(quantity * unit_price) as "amount"
    from "deal_items"
    where "deal_items"."deal_id" = "part"."id"
    group by "deal_items"."item_id"
  ) as "sold" on true
) as "part"
group by "part"."item_id"
having sum(part.deals) <> 0
order by (select name from "items" as named where named.id = "part"."item_id") collate "en-AU-x-icu"
