-- Email templates, dealerships and the people there who receive mail.

create table email_templates (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  subject text not null,
  status text not null check (status in ('draft', 'active')),
  document jsonb not null,
  variables jsonb not null,
  owner_id uuid not null references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index email_templates_name on email_templates (lower(name));

-- Every save is a version.
create table email_template_versions (
  id uuid primary key,
  template_id uuid not null references email_templates on delete cascade,
  version integer not null,
  name text not null,
  subject text not null,
  document jsonb not null,
  variables jsonb not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  unique (template_id, version)
);

create table dealerships (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  address text not null check (length(address) between 1 and 400),
  default_template_id uuid references email_templates,
  active boolean not null default true,
  owner_id uuid not null references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index dealerships_default_template on dealerships (default_template_id);

create table contacts (
  dealership_id uuid not null references dealerships on delete cascade,
  position integer not null,
  name text not null,
  email text not null,
  -- Empty in neither form nor table: names the template by which this contact is written to.
  template_name text not null,
  include_in_to boolean not null,
  include_in_cc boolean not null,
  active boolean not null,
  primary key (dealership_id, position)
);
