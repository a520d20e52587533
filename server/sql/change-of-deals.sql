with "input" as (
    select row.*, shared.*
    from unnest($1::uuid[], $2::integer[]) as row(id, seen),
      json_to_record($3::json) as shared(
        "actor_id" uuid,
        "actor_name" text,
        "ip" text,
        "request_id" text,
        "action" text,
        "entity" text,
        "change_set_id" uuid,
        "change_set_kind" text,
        "change_set_of" uuid,
        "after" jsonb,
        "userId" uuid,
        "role" text,
        "movesTo" text,
        "key" text,
        "requestHash" text,
        "rights" text,
        "status" text
      )
  ),
  "permitted" as (
    select input.*,
      jsonb_build_object('status', (select name from statuses where statuses.id = deals.status_id)) as before,
      input.after || jsonb_build_object('status', statuses.name) as recorded,
      statuses.id as status_id
    from input
    join deals on deals.id = input.id
    join statuses on (statuses.active and lower(statuses.name) = lower("input"."status")) and true
    where deals.deleted_at is null
      and true
      and (
        "input"."role" = 'admin'
        or "deals"."created_by" = "input"."userId"
        or (
          "deals"."owner_id" = "input"."userId"
          or exists (
            select
            from shares
            where shares.entity = 'deal'
              and shares.record_id = "deals"."id"
              and shares.user_id = "input"."userId"
              and shares.level in ('edit', 'full')
          )
        )
      )
      and coalesce(input.seen, deals.version) = deals.version
      and ("input"."movesTo" is null or "deals"."month" >= "input"."movesTo")
      and deals."status_id" is distinct from statuses.id
    for no key update of deals skip locked
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
    update deals
    set "status_id" = permitted."status_id",
      closed_at = case
        when (
          select is_closed
          from statuses
          where id = permitted.status_id
        ) then coalesce(deals.closed_at, now())
        end,
      version = deals.version + 1,
      field_versions = deals.field_versions || jsonb_build_object('status', deals.version + 1),
      updated_at = now(),
      updated_by = coalesce(permitted.actor_id, deals.updated_by)
    from permitted
    where deals.id = permitted.id and (permitted.key is null or permitted.id in (select id from keys))
    returning deals.*, permitted.before, permitted.recorded
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
      changed.before,
      changed.recorded,
      changed.id,
      changed.version
    from changed
    join(select * from input limit 1) as entry on true
  ),
  "put_change_sets" as (
    insert into change_sets(id, kind, of_set, created_by, created_by_name)
    select distinct on (change_set_id) change_set_id, change_set_kind, change_set_of, actor_id, actor_name
    from changed
    join(select * from input limit 1) as entry on true
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
