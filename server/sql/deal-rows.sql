with "page" as (
  select "id", "status_id", "dealership_id", "owner_id", "updated_by", deals.xmin as "stamp"
  from "deals"
  where deals.id = any ($1::uuid[])
)
select string_agg(page.id::text, ',') as "ids",
  string_agg(page.stamp::text, ',') as "stamps",
  (
    select json_object_agg(named.id, named.name)
    from "statuses" as named
    where named.id in (select page."status_id" from page)
  ) as "statuses",
  (
    select json_object_agg(named.id, named.name)
    from "dealerships" as named
    where named.id in (select page."dealership_id" from page)
  ) as "dealerships",
  (
    select json_object_agg(named.id, named.name)
    from "users" as named
    where named.id in (select page."owner_id" from page union all select page."updated_by" from page)
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
      from unnest(array(select page.id from page)) as record(id)
      join shares on shares.entity = 'deal' and shares.record_id = record.id
      join users as person on person.id = shares.user_id
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
      from unnest(array(select page.id from page)) as deal(id)
      join deal_items on deal_items.deal_id = deal.id
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
      from unnest(array(select page.id from page)) as deal(id)
      join email_deals on email_deals.deal_id = deal.id
      join emails on emails.id = email_deals.email_id
      group by email_deals.deal_id
    ) as row_mail
    join deals on deals.id = row_mail.deal_id
  ) as "mail"
from "page"
