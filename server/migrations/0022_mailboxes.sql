-- A mailbox that its owner has connected by OAuth 2.0 in place of a password.
alter table email_settings alter column smtp_password drop not null;
alter table email_settings add column provider text check (provider in ('microsoft', 'google'));
-- Sealed like the password; see platform/secrets.
alter table email_settings add column refresh_token text;
alter table email_settings add constraint email_settings_sign_in
  check (smtp_password is not null and provider is null and refresh_token is null
    or smtp_password is null and provider is not null and refresh_token is not null);

-- People who are on their way to a provider and back: for ten minutes, once.
create table mailbox_connections (
  -- SHA-256 of what the provider gives back.
  state_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('microsoft', 'google')),
  address text not null,
  -- Proves that who comes back is who went (PKCE). Sealed.
  verifier text not null,
  at timestamptz not null default now()
);
