update "emails"
set "status" = case
    when results.status = 'failed'
    and (emails.fate_unknown or results.is_unknown) then 'unconfirmed'
    else results.status
    end,
  "answer" = case
    when results.status = 'failed'
    and (emails.fate_unknown or results.is_unknown)
    and position($1 in results.answer) = 0 then ltrim(results.answer || ' ' || $2)
    else results.answer
    end,
  "fate_unknown" = results.status <> 'sent' and (emails.fate_unknown or results.is_unknown),
  "delivered_to" = coalesce(results.delivered_to, emails.delivered_to),
  "leased_until" = $3,
  "next_attempt_at" = now() + make_interval(secs => results.delay),
  "sent_at" = case results.status when 'sent' then now() end,
  "held_at" = $4,
  "hold_reason" = $5,
  "version" = emails.version + 1,
  "updated_at" = now()
from jsonb_to_recordset($6::jsonb) as results(
  id uuid,
  lease_token integer,
  status text,
  answer text,
  is_unknown boolean,
  delay float8,
  delivered_to text[]
)
where "emails"."id" = "results"."id"
  and "emails"."lease_token" = "results"."lease_token"
  and (emails.status = 'sending' or emails.hold_reason = 'overdue' and results.status = 'sent')
returning "emails"."id", "emails"."sender_id", "emails"."version", "emails"."status", "emails"."answer"
