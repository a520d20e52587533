select json_agg(page."id") as "id",
  json_agg(page."status_id") as "status_id",
  json_agg(page."dealership_id") as "dealership_id",
  json_agg(page."customer_name") as "customer_name",
  json_agg(page."customer_number") as "customer_number",
  json_agg(page."customer_email") as "customer_email",
  json_agg(page."deal_number") as "deal_number",
  json_agg(page."vehicle") as "vehicle",
  json_agg(page."delivery_date") as "delivery_date",
  json_agg(page."cost_amount") as "cost_amount",
  json_agg(page."notes") as "notes",
  json_agg(page."sale_amount") as "sale_amount",
  json_agg(page."commission_rate") as "commission_rate",
  json_agg(page."follow_up_at") as "follow_up_at",
  json_agg(page."custom") as "custom",
  json_agg(page."month") as "month",
  json_agg(page."commission") as "commission",
  json_agg(page."owner_id") as "owner_id",
  json_agg(page."created_by") as "created_by",
  json_agg(page."created_at") as "created_at",
  json_agg(page."updated_at") as "updated_at",
  json_agg(page."updated_by") as "updated_by",
  json_agg(page."version") as "version",
  (
    select json_object_agg(named.id, named.name)
    from "statuses" as named
    where named.id = any (array_agg(page.status_id))
  ) as "statuses",
  (
    select json_object_agg(named.id, named.name)
    from "dealerships" as named
    where named.id = any (array_agg(page.dealership_id))
  ) as "dealerships",
  (
    select json_object_agg(named.id, named.name)
    from "users" as named
    where named.id = any (array_agg(page.owner_id) || array_agg(page.updated_by))
  ) as "people",
  (
    select json_object_agg(id, list)
    from (
      select shares.record_id as id,
        json_agg(
          json_build_object(
            'userId',
            shares.user_id,
            'level',
            shares.level,
            'sharedAt',
            to_char(shares.shared_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'name',
            person.name,
            'email',
            person.email
          )
          order by person.name, shares.user_id
        ) as list
      from shares
      join users as person on person.id = shares.user_id
      where shares.entity = 'deal' and shares.record_id = any (array_agg(page.id))
      group by shares.record_id
    ) as shared
  ) as "shares",
  (
    select json_object_agg(id, list)
    from (
      select deal_items.deal_id as id,
        json_agg(
          json_build_object(
            'name',
            deal_items.name,
            'itemId',
            deal_items.item_id,
            'quantity',
            deal_items.quantity,
            'unitPrice',
            deal_items.unit_price
          )
          order by deal_items.position
        ) as list
      from deal_items
      where deal_items.deal_id = any (array_agg(page.id))
      group by deal_items.deal_id
    ) as sold
  ) as "items",
  (
    select json_object_agg(
      deals.id,
      json_build_object(
        'status',
        row_mail.status,
        'sent_at',
        to_char(row_mail.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'is_changed',
        case
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
    from (
      select email_deals.deal_id,
        (
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
      from email_deals
      join emails on emails.id = email_deals.email_id
      where email_deals.deal_id = any (array_agg(page.id))
      group by email_deals.deal_id
    ) as row_mail
    join deals on deals.id = row_mail.deal_id
  ) as "mail",
  (array_agg(page.sort_value))[$1::integer]::text as "last_value",
  (
    select count(*) as "count"
    from (
      select "deals"."id"
      from "deals"
      where (
        "deals"."deleted_at" is null
        and (
          true
          and "deals"."month" = $2
          and true
          and /* not prepared */ (
            (strpos(lower("deals"."customer_name" collate "en-AU-x-icu"), $3) > 0)
            and ("deals"."sale_amount" > $4::numeric) is true
            and not ("deals"."follow_up_at" is null)
            and (
              (
                (
                  deals.id in (
                    select email_deals.deal_id
                    from email_deals
                    join emails on emails.id = email_deals.email_id
                    where emails.status = any ($5)
                      and email_deals.deal_id in (
                        select id
                        from deals
                        where month = $6 and deleted_at is null
                      )
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
                  where row_mail.status = any ($7)
                )
              )
            )
          )
        )
      )
    ) as "matching"
  ) as "total"
from (
  select "id",
    "status_id",
    "dealership_id",
    "customer_name",
    "customer_number",
    "customer_email",
    "deal_number",
    "vehicle",
    "delivery_date",
    "cost_amount",
    "notes",
    "sale_amount",
    "commission_rate",
    "follow_up_at",
    "custom",
    "month",
    "commission",
    "owner_id",
    "created_by",
    "created_at",
    "updated_at",
    "updated_by",
    "version",
    "deals"."created_at" as "sort_value"
  from "deals"
  where (
    "deals"."deleted_at" is null
    and (
      true
      and "deals"."month" = $8
      and true
      and /* not prepared */ (
        (strpos(lower("deals"."customer_name" collate "en-AU-x-icu"), $9) > 0)
        and ("deals"."sale_amount" > $10::numeric) is true
        and not ("deals"."follow_up_at" is null)
        and (
          (
            (
              deals.id in (
                select email_deals.deal_id
                from email_deals
                join emails on emails.id = email_deals.email_id
                where emails.status = any ($11)
                  and email_deals.deal_id in (select id from deals where month = $12 and deleted_at is null)
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
