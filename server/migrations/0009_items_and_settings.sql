-- What is sold, in the order in which it is offered, and what a deal was written with.

create table items (
  id uuid primary key,
  name text not null check (length(name) between 1 and 80),
  category text not null default '' check (length(category) <= 60),
  price numeric(12, 2) check (price >= 0),
  cost numeric(12, 2) check (cost >= 0),
  active boolean not null default true,
  position integer not null,
  owner_id uuid not null references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index items_name on items (lower(name));
create index items_owner on items (owner_id);
create trigger item_shares_go after delete on items for each row execute function remove_shares('item');

-- Name and price as they were when the deal was written: a later change of the item changes no deal.
create table deal_items (
  deal_id uuid not null references deals on delete cascade,
  position integer not null,
  item_id uuid not null references items,
  name text not null,
  quantity integer not null check (quantity between 1 and 9999),
  unit_price numeric(12, 2) not null check (unit_price >= 0),
  primary key (deal_id, position)
);
create index deal_items_of_item on deal_items (item_id);

alter table statuses add column created_at timestamptz not null default now();
alter table statuses add column updated_at timestamptz not null default now();

-- Settings of people; without a person those of the company, which hold where somebody has none of their own.
create table settings (
  id bigint generated always as identity primary key,
  user_id uuid references users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  unique nulls not distinct (user_id, name)
);
