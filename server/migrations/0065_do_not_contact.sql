-- Phone numbers and email addresses of customers whom nobody contacts, as deals are compared with them: a phone number in
-- the stored format of deals, an email address in lower case.
create table do_not_contact (
  id uuid primary key,
  kind text not null check (kind in ('phone', 'email')),
  value text not null unique,
  reason text not null,
  added_by uuid not null references users (id),
  created_at timestamptz not null default now()
);
