-- The restore test of a night is claimed with a lease, and repeated after a crash or a failure.
alter table backup_settings
  add column restore_test_leased_until timestamptz,
  add column restore_test_attempts integer not null default 0;
