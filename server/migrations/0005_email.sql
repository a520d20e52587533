-- Mail servers of people, and every message with its fate.

create table email_settings (
  user_id uuid primary key references users on delete cascade,
  smtp_host text not null,
  smtp_port integer not null check (smtp_port between 1 and 65535),
  smtp_secure boolean not null,
  smtp_user text not null,
  -- AES-256-GCM with the key of SECRET_KEY; see platform/secrets.
  smtp_password text not null,
  smtp_from_email text not null,
  last_verified timestamptz,
  -- Set when the server refused the sign-in: nothing more is tried until the settings are saved again.
  paused_because text,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

-- The log entry and the outgoing message are one row: what was committed here will be sent.
create table emails (
  id uuid primary key,
  sender_id uuid not null references users,
  deal_id uuid references deals,
  dealership_id uuid not null references dealerships,
  template_id uuid references email_templates on delete set null,
  template_name text not null,
  template_version integer not null,
  from_name text not null,
  from_address text not null,
  to_addresses text[] not null,
  cc_addresses text[] not null,
  subject text not null,
  html text not null,
  body_text text not null,
  -- Chosen once: every attempt carries it, so that receivers can recognise a second copy.
  message_id text not null unique,
  status text not null check (status in ('queued', 'sending', 'sent', 'retrying', 'failed', 'cancelled')),
  answer text not null default '',
  attempts integer not null default 0,
  -- Raised with each attempt: only the newest holder may write down how it ended.
  fence integer not null default 0,
  leased_until timestamptz,
  next_attempt_at timestamptz,
  cancellable_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  -- What the history is searched by, in lower case: subject, names of template and dealership, addresses.
  search_text text not null
);
create index emails_newest on emails (created_at desc, id desc);
create index emails_by_sender on emails (sender_id, created_at desc, id desc);
create index emails_of_deal on emails (deal_id, created_at desc) where deal_id is not null;
create index emails_search on emails using gin (search_text gin_trgm_ops);
-- Only what is still to go out is in here, however long the history grows.
create index emails_due on emails (sender_id, next_attempt_at) where status in ('queued', 'retrying', 'sending');

-- Connection tests of mail servers: counted by all instances together.
create table email_verifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  -- Of settings that passed before they were saved: recognises them when they are. Made with the key, tells nothing.
  passed text,
  at timestamptz not null default now()
);
create index email_verifications_recent on email_verifications (user_id, at);
