with "removed" as (
    delete
    from "sessions"
    where id = any (
      array(
        (
          select "id"
          from "sessions"
          where "expires_at" < now() - make_interval(days => 30)
          limit 100
          for update skip locked
        )
      )
    )
  ),
  "ended" as (
    update "sessions"
    set "ended_at" = now(), "end_reason" = $1
    where "user_id" = $2
      and "ended_at" is null
      and id = any (
        array(
          (
            select "sessions"."id"
            from "sessions"
            left join "permission_records" on "permission_records"."user_id" = "sessions"."user_id"
            where "sessions"."user_id" = $3
              and (
                sessions.ended_at is null
                and sessions.expires_at > now()
                and sessions.last_used_at > now() - make_interval(
                  mins => coalesce(
                    jsonb_path_query_first(
                      permission_records.record, '$.sessionTimeout ? (@ >= 1 && @ <= 720)'
                    )::int,
                    60
                  )
                )
              )
            order by "sessions"."created_at" desc, "sessions"."id" desc
            offset coalesce(
              (
                select coalesce(
                  jsonb_path_query_first(
                    permission_records.record, '$.maxSessions ? (@ >= 1 && @ <= 100)'
                  )::int,
                  1
                )
                from permission_records
                where user_id = $4
              ),
              1
            ) - 1
          )
        )
      )
    returning "id"
  ),
  "started" as (
    insert into "sessions"("id", "token_hash", "user_id", "user_agent", "ip", "created_at", "expires_at")
    values ($5, $6, $7, $8, $9, clock_timestamp(), now() + make_interval(hours => 12))
    returning "id"
  ),
  "users" as (update "users" set "last_login" = now() where "id" = $10 returning *),
  "audited" as (
    insert into "audit_entries"(
      "actor_id",
      "actor_name",
      "ip",
      "request_id",
      "action",
      "entity",
      "change_set_id",
      "before",
      "after",
      "record_id",
      "version"
    )
    values ($11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
  ),
  "cleared" as (
    delete
    from "sign_in_failures"
    where id = any (
      $22::bigint[] || array(
        (select "id" from "sign_in_failures" where "subject" = $23)
      ) || array(
        (
          select "id"
          from "sign_in_failures"
          where "created_at" < now() - interval '15 minutes'
          for update skip locked
        )
      )
    )
  )
select "users"."id" as "userId",
  "users"."name",
  "users"."email",
  "users"."role",
  "users"."force_password_change",
  "users"."last_login",
  "users"."two_step_required",
  "two_step"."confirmed_at" as "twoStepSince",
  "permission_records"."record",
  (
    select coalesce(json_agg(json_build_object('key', key, 'type', type) order by position), '[]')
    from custom_fields
    where active and (visible_to = 'everybody' or users.role = 'admin')
  ) as "customColumns",
  "started"."id" as "sessionId",
  (
    select pg_notify('forecourt', 'revoked ' || users.id)
    where exists (select from ended)
  ) is not null as "hasEnded"
from "users"
cross join "started"
left join "two_step" on "two_step"."user_id" = "users"."id"
left join "permission_records" on "permission_records"."user_id" = "users"."id"
