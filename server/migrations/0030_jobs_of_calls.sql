-- Work that is one call's: how much of it is done, why it was refused field by field, and which call it is for.
alter table jobs
  add column done integer,
  add column total integer,
  add column errors jsonb,
  add column idempotency_key text,
  add column request_hash bytea,
  -- Somebody was given its id, and will ask what became of it.
  add column is_awaited boolean not null default false;

-- A repeat of the call while it runs is told of the same job, whichever instance it comes to.
create unique index jobs_of_calls on jobs (user_id, idempotency_key) where status = 'running';
