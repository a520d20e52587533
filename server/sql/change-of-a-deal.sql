with "input" as (
    select $1::uuid as "id",
    $2::integer as "seen",
    $3::uuid as "actor_id",
    $4::text as "actor_name",
    $5::text as "ip",
    $6::text as "request_id",
    $7::text as "action",
    $8::text as "entity",
    $9::uuid as "change_set_id",
    $10::text as "change_set_kind",
    $11::uuid as "change_set_of",
    $12::jsonb as "after",
    $13::uuid as "userId",
    $14::text as "role",
    $15::text as "movesTo",
    $16::text as "key",
    $17::text as "requestHash",
    $18::text as "rights",
    $19::text as "notes"
  ),
  "permitted" as (
    select input.*, jsonb_build_object('notes', deals."notes") as before, input.after as recorded
    from input
    join deals on deals.id = input.id
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
      and (
        ("input"."seen" is null or "deals"."version" >= "input"."seen")
        and ("input"."movesTo" is null or "deals"."month" >= "input"."movesTo")
        and coalesce(("deals"."field_versions" ->> 'notes')::integer, 1) <= "input"."seen"
      )
      and deals."notes" is distinct from input."notes"
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
    set "notes" = permitted."notes",
      version = deals.version + 1,
      field_versions = deals.field_versions || jsonb_build_object('notes', deals.version + 1),
      updated_at = now(),
      updated_by = coalesce(permitted.actor_id, deals.updated_by)
    from permitted
    where deals.id = permitted.id and (permitted.key is null or permitted.id in (select id from keys))
    returning deals.*
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
      permitted.before,
      permitted.recorded,
      changed.id,
      changed.version
    from changed
    join permitted on permitted.id = changed.id
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
  (select name from "statuses" as named where named.id = "deals"."status_id") as "status",
  (select name from "dealerships" as named where named.id = "deals"."dealership_id") as "dealership_name",
  (select name from "users" as named where named.id = "deals"."owner_id") as "owner_name",
  (select name from "users" as named where named.id = "deals"."updated_by") as "updated_by_name",
  (
    exists (select from deal_items where deal_items.deal_id = deals.id)
    or exists (select from shares where shares.entity = 'deal' and shares.record_id = deals.id)
    or exists (select from email_deals where email_deals.deal_id = deals.id)
  ) as "has_parts"
from "deals"
