-- When backups are made by themselves, and where copies of them go. A restore keeps both tables as they are.

create table backup_settings (
  only_row boolean primary key default true check (only_row),
  scheduler_running boolean not null default true,
  -- The full hour of the newest automatic backup. The first one is made at the next full hour.
  last_hour timestamptz not null default now(),
  -- Until then an instance is at it, or it is not tried again.
  hour_leased_until timestamptz,
  -- Why the newest try failed, in words for people; null: it did not.
  last_problem text,
  -- The business date of the newest restore drill.
  last_drill date,

  -- Since when finished backups are copied; null: they are not.
  ssh_enabled_at timestamptz,
  ssh_host text not null default '',
  ssh_port integer not null default 22 check (ssh_port between 1 and 65535),
  ssh_username text not null default '',
  ssh_auth_method text not null default 'privateKey' check (ssh_auth_method in ('privateKey', 'password')),
  -- Sealed; null: there is none.
  ssh_private_key text,
  ssh_passphrase text,
  ssh_password text,
  ssh_remote_path text not null default '',
  ssh_keep_local_copies boolean not null default true,
  ssh_connection_timeout integer not null default 30 check (ssh_connection_timeout between 5 and 300),
  ssh_server_name text not null default '',
  -- Which settings passed the newest test, without their secrets, and when.
  ssh_verified text,
  ssh_verified_at timestamptz
);
insert into backup_settings default values;

-- How a server was recognised at the first connection to it; kept when the settings name another one.
create table backup_host_keys (
  host text not null,
  port integer not null,
  algorithm text not null,
  fingerprint text not null,
  pinned_at timestamptz not null default now(),
  primary key (host, port)
);

-- The copy of a backup: when it is tried next, how often it was, and whose it is at the moment.
alter table backups add column copy_due_at timestamptz not null default now();
alter table backups add column copy_attempts integer not null default 0;
alter table backups add column copy_leased_until timestamptz;
