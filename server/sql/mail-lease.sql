update "emails"
set "status" = $1,
  "fate_unknown" = fate_unknown or status = 'sending',
  "attempts" = attempts + 1,
  "first_attempt_at" = coalesce(first_attempt_at, now()),
  "lease_token" = lease_token + 1,
  "leased_until" = now() + make_interval(secs => $2),
  "version" = version + 1,
  "updated_at" = now()
where id = any (
  array(
    (
      select "emails"."id"
      from "emails"
      where "sender_id" = $3
        and emails.status in ('queued', 'retrying', 'sending')
        and emails.held_at is null
        and (emails.leased_until is null or emails.leased_until < now())
        and emails.next_attempt_at <= now()
        and not (
          emails.next_attempt_at < now() - interval '1 hour'
          and not exists (select from installation where mail_heartbeat_at >= now() - interval '1 hour')
        )
        and not exists (
          select
          from email_settings
          where user_id = emails.sender_id and pause_reason is not null
        )
      order by "next_attempt_at", "id"
      limit $4
      for update skip locked
    )
  )
)
returning *,
  array(
    select lower(email)
    from contacts
    where dealership_id = emails.dealership_id and active
    union
    select lower(email)
    from users
    where id = emails.sender_id
  ) as "allowed_addresses"
