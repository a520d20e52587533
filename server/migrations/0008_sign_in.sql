-- Two-step sign-in, links to choose a password, and what counts calls across instances.

alter table users add column two_step_required boolean not null default false;

create table two_step (
  user_id uuid primary key references users on delete cascade,
  -- The secret of the authenticator app, sealed with the key of SECRET_KEY.
  secret text not null,
  -- Null while it is being set up: nothing is asked for until a first code has come.
  confirmed_at timestamptz,
  -- The 30-second step whose code came last: a code that was seen over a shoulder opens nothing.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Single-use keys of mailed reset links and of invitations, as SHA-256.
create table password_links (
  key_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('reset', 'invitation')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index password_links_of_person on password_links (user_id);

-- A temporary password stops working by itself.
alter table passwords add column expires_at timestamptz;

-- Calls that are limited in number, counted by all instances together.
create table counted_calls (
  id bigint generated always as identity primary key,
  -- What is counted: 'permissions:<caller>:<target>', 'reset:<email>' and the like.
  subject text not null,
  at timestamptz not null default now()
);
create index counted_calls_recent on counted_calls (subject, at);

-- An administrator who looks at the product as somebody else, in one of their own sessions. Each has its
-- audit entry.
create table viewings (
  id uuid primary key,
  session_id uuid not null references sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now()
);
create index viewings_of_session on viewings (session_id);
