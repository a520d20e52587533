-- Work that outlives its request, files that leave by a ticket, the catalogue of backups, and mail that waits
-- after a restore. None of these tables refers to people: a restore replaces those and keeps these.

-- How far a piece of work is, for whoever began it. A row whose server is gone is ended by the others.
create table jobs (
  id uuid primary key,
  kind text not null,
  user_id uuid,
  status text not null default 'running' check (status in ('running', 'succeeded', 'failed')),
  step text not null default '',
  percent integer check (percent between 0 and 100),
  result jsonb,
  -- Why it failed: the code of the contract, and words for people.
  code text,
  message text,
  created_at timestamptz not null default now(),
  -- By the server that does it, every few seconds.
  alive_at timestamptz not null default now(),
  finished_at timestamptz
);
create index jobs_running on jobs (alive_at) where status = 'running';
create index jobs_age on jobs (created_at);

-- A download that works once and soon. SHA-256 of the ticket: who reads this table cannot use it.
create table download_tickets (
  ticket_hash bytea primary key,
  -- The ticket ends with it.
  session_id uuid not null,
  kind text not null,
  record_id text not null,
  expires_at timestamptz not null
);

create table backups (
  id uuid primary key,
  name text not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$'),
  size bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Where it came from: retention removes only what was made here.
  origin text not null check (origin in ('made', 'uploaded', 'found')),
  job_id uuid,
  -- Null until it is whole under its name.
  finished_at timestamptz,
  -- Of the file as it lies there.
  file_sha256 bytea,
  signature text check (signature in ('own', 'foreign', 'unsigned')),
  schema_version integer,
  row_count bigint,
  verified_at timestamptz,
  proven_at timestamptz,
  problem text,
  is_local boolean not null default true,
  remote text not null default 'none' check (remote in ('none', 'waiting', 'copied', 'failed')),
  remote_problem text
);

-- Since when a message waits for an administrator, after a restore brought it back. Null: it goes out when due.
alter table emails add column parked_at timestamptz;
