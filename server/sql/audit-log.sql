select "id",
  "created_at",
  "actor_id",
  "actor_name",
  "ip",
  "request_id",
  "action",
  "entity",
  "record_id",
  "before",
  "after",
  "audit_redactions"."order_id"
from "audit_entries"
left join "audit_redactions" on "audit_redactions"."entry_id" = "audit_entries"."id"
where "audit_entries"."id" in ($1, $2, $3, $4, $5, $6, $7, $8)
order by "audit_entries"."id" desc
