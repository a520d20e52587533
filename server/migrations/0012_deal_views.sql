-- Saved views of Data Entry. What a view shows and how is one document: it is read and written as a whole.

create table deal_views (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null check (length(name) between 1 and 60),
  is_shared boolean not null default false,
  arrangement jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index deal_views_name on deal_views (owner_id, lower(name));
create index deal_views_shared on deal_views (id) where is_shared;
