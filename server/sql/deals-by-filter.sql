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
  ) as "changed",
  (
    select count(*) as "count"
    from (
      select "deals"."id"
      from "deals"
      where (
        "deals"."deleted_at" is null
        and (
          true
          and "deals"."month" = $4
          and true
          and /* not prepared */ (
            (strpos(lower("deals"."customer_name" collate "en-AU-x-icu"), $5) > 0)
            and ("deals"."sale_amount" > $6::numeric) is true
            and not ("deals"."follow_up_at" is null)
            and (
              (
                (
                  deals.id in (
                    select email_deals.deal_id
                    from email_deals
                    join emails on emails.id = email_deals.email_id
                    where emails.status = any ($7)
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
                  where row_mail.status = any ($8)
                )
              )
            )
          )
        )
      )
    ) as "matching"
  ) as "total"
from (
  select "deals"."id", deals.xmin as "stamp", "deals"."created_at" as "sort_value"
  from "deals"
  where (
    "deals"."deleted_at" is null
    and (
      true
      and "deals"."month" = $9
      and true
      and /* not prepared */ (
        (strpos(lower("deals"."customer_name" collate "en-AU-x-icu"), $10) > 0)
        and ("deals"."sale_amount" > $11::numeric) is true
        and not ("deals"."follow_up_at" is null)
        and (
          (
            (
              deals.id in (
                select email_deals.deal_id
                from email_deals
                join emails on emails.id = email_deals.email_id
                where emails.status = any ($12)
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
              where row_mail.status = any ($13)
            )
          )
        )
      )
    )
  )
  order by sort_value desc, deals.id desc
  limit $14
) as "page"
