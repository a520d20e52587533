select count(*)::integer as "rows",
  (
    count(*) filter (where /* not prepared */ (("deals"."status_id" = any ($1::uuid[]))))
  )::integer as "openStatus",
  (
    count(*) filter (where /* not prepared */ (("deals"."status_id" = $2::uuid)))
  )::integer as "dealNotEntered",
  (
    count(*) filter (
      where /* not prepared */ (("deals"."status_id" = $3::uuid) and ("deals"."sale_amount" is null))
    )
  )::integer as "saleMissing",
  (
    count(*) filter (
      where /* not prepared */ (("deals"."status_id" = $4::uuid) and ("deals"."cost_amount" is null))
    )
  )::integer as "costMissing",
  (
    count(*) filter (
      where /* not prepared */ (
        ("deals"."status_id" = $5::uuid)
        and (not exists (select from deal_items where deal_items.deal_id = deals.id))
      )
    )
  )::integer as "itemsMissing",
  (
    count(*) filter (
      where /* not prepared */ (("deals"."status_id" = $6::uuid) and ("deals"."deal_number" = ''))
    )
  )::integer as "dealNumberMissing",
  (
    count(*) filter (
      where /* not prepared */ (("deals"."status_id" = $7::uuid) and ("deals"."customer_number" = ''))
    )
  )::integer as "phoneMissing",
  (
    count(*) filter (
      where /* not prepared */ (
        ("deals"."status_id" = $8::uuid)
        and ((row_mail.status = any ($9)) is true or coalesce(row_mail.status, 'cancelled') = 'cancelled')
      )
    )
  )::integer as "notEmailed",
  (
    count(*) filter (
      where /* not prepared */ (
        (
          (row_mail.status = any ($10)) is true
          or case
          when row_mail.version < deals.version then exists (
            select
            from email_deals
            join emails on emails.id = email_deals.email_id, unnest(emails.deal_fields) as field
            where email_deals.deal_id = deals.id
              and emails.status = 'sent'
              and (deals.field_versions ->> field)::integer > email_deals.deal_version
              and not exists (
                select
                from email_deals later
                join emails message on message.id = later.email_id
                where later.deal_id = deals.id
                  and message.status = 'sent'
                  and (message.sent_at, message.id) > (emails.sent_at, emails.id)
                  and field = any (message.deal_fields)
                  and later.deal_version >= (deals.field_versions ->> field)::integer
              )
          )
          else false
          end
        )
      )
    )
  )::integer as "changedSinceEmailed",
  (
    count(*) filter (where /* not prepared */ (((row_mail.status = any ($11)) is true)))
  )::integer as "emailFailed",
  (
    count(*) filter (
      where /* not prepared */ (
        (
          deals.id in (
            select id
            from (
              select deals.id,
                (
                    deals.customer_number <> ''
                    and count(*) over (partition by deals.month, deals.customer_number) > 1
                  )
                  or (
                    lower(deals.deal_number) <> ''
                    and count(*) over (partition by deals.month, lower(deals.deal_number)) > 1
                  ) as is_repeated
              from deals
              where ("deals"."deleted_at" is null and (true and "deals"."month" = $12 and true))
            ) as numbered
            where is_repeated
          )
        )
      )
    )
  )::integer as "duplicates",
  (
    count(*) filter (
      where /* not prepared */ (
        ("deals"."status_id" = $13::uuid)
        and (
          (
            deals.sale_amount > 0
            and exists (
              select
              from deal_items
              where deal_items.deal_id = deals.id
              having sum(quantity * unit_price) > 0
                and abs(deals.sale_amount - sum(quantity * unit_price)) * 2 > sum(quantity * unit_price)
            )
          ) is true
        )
      )
    )
  )::integer as "farFromPrice",
  (
    count(*) filter (
      where /* not prepared */ (
        ("deals"."status_id" = $14::uuid)
        and not ("deals"."sale_amount" is null)
        and ("deals"."commission_rate" is null)
      )
    )
  )::integer as "rateMissing"
from "deals"
left join lateral(
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
) as "row_mail" on true
where ("deals"."deleted_at" is null and (true and "deals"."month" = $15 and true))
