select "deals".*,
  (select users.name from users where users.id = "deals"."owner_id") as "owner_name",
  (
    select coalesce(
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
      ),
      '[]'
    )
    from shares
    cross join lateral(select name, email from users where users.id = shares.user_id offset 0) as person
    where shares.entity = 'deal' and shares.record_id = "deals"."id"
  ) as "shares",
  (
    select coalesce(
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
      ),
      '[]'
    )
    from deal_items
    where deal_items.deal_id = deals.id
  ) as "items",
  "statuses"."name" as "status",
  "dealerships"."name" as "dealership_name",
  "editors"."name" as "updated_by_name",
  "row_mail"."status" as "email_status",
  "row_mail"."sent_at" as "last_emailed_at",
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
    end as "is_changed_since_sent"
from "deals"
inner join "statuses" on "statuses"."id" = "deals"."status_id"
inner join "dealerships" on "dealerships"."id" = "deals"."dealership_id"
inner join "users" as "editors" on "editors"."id" = "deals"."updated_by"
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
where "deals"."id" = $1 and "deals"."deleted_at" is null and true
order by "deals"."id"
