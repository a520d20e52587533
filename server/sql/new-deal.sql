with "input" as (
    select *
    from json_to_recordset($1::json) as input(
      id uuid,
      position integer,
      writer integer,
      after jsonb,
      "dealershipId" uuid,
      "statusId" uuid,
      status text,
      "draftKey" uuid,
      items json,
      "key" text,
      "requestHash" text,
      "rights" text,
      "customerName" text,
      "customerNumber" text,
      "customerEmail" text,
      "dealNumber" text,
      "vehicle" text,
      "deliveryDate" date,
      "costAmount" numeric,
      "notes" text,
      "saleAmount" numeric,
      "followUpAt" timestamptz,
      "custom" jsonb,
      "month" text
    )
  ),
  "writers" as (
    select *
    from json_to_recordset($2::json) as writers(
      number integer,
      "ownerId" uuid,
      "actor_id" uuid,
      "actor_name" text,
      "ip" text,
      "request_id" text,
      "action" text,
      "entity" text,
      "change_set_id" uuid,
      "change_set_kind" text,
      "change_set_of" uuid,
      "newSales" numeric,
      "usedSales" numeric,
      "defaultSales" numeric
    )
  ),
  "permitted" as (
    select input.*,
      writers.*,
      "ownerId" as "userId",
      coalesce("statusId", statuses.id) as status_id,
      statuses.name as status_name,
      case
        when position('new' in lower(dealerships.name)) > 0 then "newSales"::numeric
        when position('used' in lower(dealerships.name)) > 0 then "usedSales"::numeric
        else "defaultSales"::numeric
        end as rate
    from input
    join writers on writers.number = input.writer
    left join dealerships on dealerships.id = "dealershipId"
    left join statuses on case
      when "statusId" is not null then statuses.id = "statusId"
      when input.status is null then (statuses.active and statuses.is_default)
      else (statuses.active and lower(statuses.name) = lower("input"."status"))
      end
    where "statusId" is not null or (dealerships.id is not null and statuses.id is not null and true and true)
  ),
  "keys" as (
    insert into idempotency_keys(user_id, key, request_hash, response)
    select "userId",
      key,
      decode("requestHash", 'hex'),
      jsonb_build_object('rights', rights, 'recordIds', jsonb_build_array(id))
    from permitted
    where key is not null
    on conflict do nothing
    returning (response #>> '{recordIds,0}')::uuid as id
  ),
  "changed" as (
    insert into deals(
      id,
      owner_id,
      created_by,
      updated_by,
      dealership_id,
      status_id,
      closed_at,
      draft_key,
      commission_rate,
      "customer_name",
      "customer_number",
      "customer_email",
      "deal_number",
      "vehicle",
      "delivery_date",
      "cost_amount",
      "notes",
      "sale_amount",
      "follow_up_at",
      "custom",
      "month"
    )
    select id,
      "ownerId",
      "ownerId",
      "ownerId",
      "dealershipId",
      status_id,
      case
        when (select is_closed from statuses where id = permitted.status_id) then coalesce(null, now())
        end,
      "draftKey",
      rate,
      coalesce("customerName", ''),
      coalesce("customerNumber", ''),
      coalesce("customerEmail", ''),
      coalesce("dealNumber", ''),
      coalesce("vehicle", ''),
      "deliveryDate",
      "costAmount",
      coalesce("notes", ''),
      "saleAmount",
      "followUpAt",
      coalesce("custom", '{}'),
      coalesce("month", '')
    from permitted
    where (permitted.key is null or permitted.id in (select id from keys))
    returning *
  ),
  "audited" as (
    insert into audit_entries(
      actor_id, actor_name, ip, request_id, action, entity, change_set_id, before, after, record_id, version
    )
    select actor_id,
      actor_name,
      ip,
      request_id,
      action,
      entity,
      change_set_id,
      null::jsonb,
      permitted.after || case
        when permitted.after ? 'status' then jsonb_build_object('status', permitted.status_name)
        else '{}'
        end || jsonb_build_object(
          'commissionRate', changed.commission_rate, 'commission', changed.commission
        ),
      changed.id,
      changed.version
    from changed
    join permitted on permitted.id = changed.id
    order by permitted.position
  ),
  "put_change_sets" as (
    insert into change_sets(id, kind, of_set, created_by, created_by_name)
    select distinct on (change_set_id) change_set_id, change_set_kind, change_set_of, actor_id, actor_name
    from changed
    join permitted on permitted.id = changed.id
    where change_set_id is not null
    order by change_set_id
    on conflict do nothing
  ),
  "deals" as (select * from changed)
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
