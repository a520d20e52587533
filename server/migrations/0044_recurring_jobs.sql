-- The last run of each recurring job, on any instance (docs/decisions/0017-one-definition-of-background-work.md).
create table recurring_jobs (
  name text primary key,
  started_at timestamptz not null,
  -- Null: it runs, or its instance died.
  finished_at timestamptz,
  -- Why it failed; null: it did not.
  problem text
);
