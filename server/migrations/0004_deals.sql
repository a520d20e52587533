-- Deal rows and the statuses they go through.

create table statuses (
  id uuid primary key,
  name text not null,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  position integer not null,
  active boolean not null default true,
  is_default boolean not null default false,
  is_closed boolean not null default false,
  version integer not null default 1
);
create unique index statuses_name on statuses (lower(name));
create unique index statuses_default on statuses (is_default) where is_default;

-- The six of the specification, in the order of the status cycle.
insert into statuses (id, name, color, position, is_default, is_closed) values
  ('01930000-0000-7000-8000-000000000001', 'Entered', '#5b7083', 1, true, false),
  ('01930000-0000-7000-8000-000000000002', 'Called', '#2f6fb2', 2, false, false),
  ('01930000-0000-7000-8000-000000000003', 'Deal', '#2f8a57', 3, false, true),
  ('01930000-0000-7000-8000-000000000004', 'No deal', '#b4483f', 4, false, true),
  ('01930000-0000-7000-8000-000000000005', 'Deal Not Entered', '#b7791f', 5, false, false),
  ('01930000-0000-7000-8000-000000000006', 'To Call', '#7a5bb0', 6, false, false);

create table deals (
  id uuid primary key,
  status_id uuid not null references statuses,
  dealership_id uuid not null references dealerships,
  customer_name text not null check (length(customer_name) between 1 and 120),
  customer_number text not null default '' check (customer_number ~ '^(|\(\d{4}\) \d{3} \d{3})$'),
  customer_email text not null default '',
  deal_number text not null default '' check (length(deal_number) <= 40),
  vehicle text not null default '',
  delivery_date date,
  sale_amount numeric(12, 2) check (sale_amount >= 0),
  cost_amount numeric(12, 2) check (cost_amount >= 0),
  notes text not null default '' check (length(notes) <= 5000),
  follow_up_at timestamptz,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  owner_id uuid not null references users,
  created_by uuid not null references users,
  version integer not null default 1,
  -- Which version last changed each field: what a merge of two editors is decided by.
  field_versions jsonb not null default '{}',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index deals_month on deals (month, created_at desc, id desc) where deleted_at is null;
create index deals_dealership on deals (dealership_id, month, created_at desc, id desc) where deleted_at is null;
create index deals_status on deals (status_id);
-- Contains-search over what a clerk looks for; phone numbers by their digits alone.
create index deals_search on deals using gin (
  (lower(customer_name || ' ' || deal_number || ' ' || vehicle || ' ' || customer_email || ' '
    || regexp_replace(customer_number, '\D', '', 'g'))) gin_trgm_ops
) where deleted_at is null;
