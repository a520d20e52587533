select "emails"."id",
  "emails"."template_id",
  "emails"."template_name",
  "emails"."template_version",
  "emails"."dealership_id",
  "emails"."sender_id",
  "emails"."from_name",
  "emails"."from_address",
  "emails"."to_addresses",
  "emails"."cc_addresses",
  "emails"."subject",
  "emails"."status",
  "emails"."answer",
  "emails"."attempts",
  "emails"."hold_reason",
  "emails"."created_at",
  "emails"."sent_at",
  "emails"."next_attempt_at",
  "emails"."cancellable_until",
  "emails"."message_id",
  "emails"."batch_id",
  "emails"."attachment_count",
  "emails"."version",
  "dealerships"."name" as "dealership_name",
  "users"."name" as "sender_name",
  array(select deal_id from email_deals where email_id = emails.id order by deal_id) as "deal_ids",
  coalesce(emails.cancellable_until > now(), false) as "is_cancellable"
from "emails"
inner join "dealerships" on "dealerships"."id" = "emails"."dealership_id"
inner join "users" on "users"."id" = "emails"."sender_id"
where "emails"."id" in (
  select "emails"."id"
  from "emails"
  where "emails"."sender_id" = $1
  order by "emails"."created_at" desc, "emails"."id" desc
  limit $2
  offset $3
)
order by "emails"."created_at" desc, "emails"."id" desc
