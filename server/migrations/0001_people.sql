-- People, how they sign in, and what they may do.

-- Which key and data folder belong to this database: a start with others is refused.
create table installation (
  id uuid primary key,
  only_row boolean not null default true unique check (only_row),
  -- Opens only with the key that was in use at the first start.
  key_check text not null,
  -- SHA-256 of the key in the one-time set-up link; null once there is a user.
  setup_key_hash bytea,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  -- citext: one person per address, whatever its case.
  email citext not null unique check (length(email) between 3 and 254),
  role text not null check (role in ('admin', 'user')),
  is_active boolean not null default true,
  force_password_change boolean not null default false,
  last_login timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Apart from users, so that no list of people can ever carry a hash.
create table passwords (
  user_id uuid primary key references users on delete cascade,
  hash text not null,
  changed_at timestamptz not null default now()
);

create table permission_records (
  user_id uuid primary key references users on delete cascade,
  record jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the token: who reads this table cannot sign in with it.
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  user_agent text not null,
  ip text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_because text
);
create index sessions_live on sessions (user_id, created_at) where ended_at is null;

-- Failed sign-ins: counted by all instances together.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  -- 'account:<email>' or 'address:<ip>'
  subject text not null,
  at timestamptz not null default now()
);
create index sign_in_failures_recent on sign_in_failures (subject, at desc);

-- First answers to writes that carry an Idempotency-Key, kept for a day.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
