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
  "sessions"."id" as "sessionId",
  "sessions"."token_hash",
  sessions.last_used_at < now() - least(
    interval '1 minute',
    make_interval(
      mins => coalesce(
        jsonb_path_query_first(permission_records.record, '$.sessionTimeout ? (@ >= 1 && @ <= 720)')::int, 60
      )
    ) / 4
  ) as "isStale"
from "users"
left join "two_step" on "two_step"."user_id" = "users"."id"
left join "permission_records" on "permission_records"."user_id" = "users"."id"
inner join "sessions" on "sessions"."user_id" = "users"."id"
where "users"."is_active" = $1
  and "sessions"."token_hash" = $2
  and (
    sessions.ended_at is null
    and sessions.expires_at > now()
    and sessions.last_used_at > now() - make_interval(
      mins => coalesce(
        jsonb_path_query_first(permission_records.record, '$.sessionTimeout ? (@ >= 1 && @ <= 720)')::int, 60
      )
    )
  )
