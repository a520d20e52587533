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
  where (
      "deals"."deleted_at" is null
      and (
        true
        and "deals"."month" = $5
        and true
        and /* not prepared */ (
          (strpos(lower("deals"."customer_name" collate "en-AU-x-icu"), $6) > 0)
          and ("deals"."sale_amount" > $7::numeric) is true
          and not ("deals"."follow_up_at" is null)
          and (
            (
              (
                deals.id in (
                  select email_deals.deal_id
                  from email_deals
                  join emails on emails.id = email_deals.email_id
                  where emails.status = any ($8)
                    and email_deals.deal_id in (select id from deals where month = $9 and deleted_at is null)
                )
              )
              and exists (
                select
                from (
                  select (
                      array_agg(
                        emails.status
                        order by emails.status in ('queued', 'sending', 'retrying') desc,
                          emails.status <> 'cancelled' desc,
                          emails.created_at desc,
                          emails.id desc
                      )
                    )[1] as "status",
                    max(emails.sent_at) filter (where emails.status = 'sent') as "sent_at",
                    min(email_deals.deal_version) filter (where emails.status = 'sent') as "version"
                  from "email_deals"
                  inner join "emails" on "emails"."id" = "email_deals"."email_id"
                  where "email_deals"."deal_id" = "deals"."id"
                ) as row_mail
                where row_mail.status = any ($10)
              )
            )
          )
        )
      )
    )
    and 1 = 1
) as "part"
group by grouping sets(("part"."status_id"), ())
having grouping("part"."status_id") = 1 or sum(part.deals) <> 0
order by grouping("part"."status_id"), (select position from statuses where statuses.id = part.status_id)
