-- Not breaking: the former release leaves these columns as they are.
-- Attempts that a killed program left without an outcome, and since when the program has been running.
alter table backup_settings
  add column hour_started_at timestamptz,
  add column restore_test_started_at timestamptz,
  add column watched_at timestamptz not null default now(),
  add column watched_since timestamptz not null default now();
comment on column backup_settings.hour_started_at is 'When the attempt of an hourly backup that has no outcome yet began.';
comment on column backup_settings.restore_test_started_at is 'When the attempt of a restore test that has no outcome yet began.';
comment on column backup_settings.watched_at is 'When an instance last checked the state of backups, to the minute.';
comment on column backup_settings.watched_since is 'Since when instances have checked it without a gap of an hour. Restarts are no gap.';
