-- Breaking: the former release reads the state of the copy of a backup from its row.
-- Copies of backups go to an SSH server, to S3, or to both.
create table backup_copies (
  backup_id uuid not null references backups on delete cascade,
  destination text not null check (destination in ('ssh', 's3')),
  state text not null check (state in ('waiting', 'copied', 'failed')),
  problem text,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  leased_until timestamptz,
  path text,
  primary key (backup_id, destination)
);
comment on column backup_copies.path is 'Path at the destination, where a fetch looks first: the settings may name another folder by then.';
insert into backup_copies (backup_id, destination, state, problem, due_at, attempts, leased_until, path)
  select id, 'ssh', remote, remote_problem, copy_due_at, copy_attempts, copy_leased_until, copy_path
  from backups where remote <> 'none';
alter table backups
  drop column remote,
  drop column remote_problem,
  drop column copy_due_at,
  drop column copy_attempts,
  drop column copy_leased_until,
  drop column copy_path;

alter table backup_settings
  add column s3_enabled_at timestamptz,
  add column s3_endpoint text not null default '',
  add column s3_region text not null default 'us-east-1',
  add column s3_bucket text not null default '',
  add column s3_prefix text not null default '',
  add column s3_path_style boolean not null default false,
  add column s3_access_key_id text not null default '',
  add column s3_secret_access_key text,
  add column s3_keep_local_copies boolean not null default true,
  add column s3_verified text,
  add column s3_verified_at timestamptz,
  add column s3_version integer not null default 1;
comment on column backup_settings.s3_enabled_at is 'Since when finished backups are copied to S3; null: they are not.';
comment on column backup_settings.s3_verified is 'Keyed digest of the settings that passed the newest connection test.';
