-- Fields that administrators add to deals (docs/product/custom-fields.md). Never deleted: rows and their history keep values.
create table custom_fields (
  id uuid primary key,
  key text not null unique check (key ~ '^custom[1-9][0-9]{0,5}$'),
  name text not null check (length(name) between 1 and 60),
  type text not null check (type in (
    'text', 'longText', 'number', 'currency', 'percent', 'date', 'checkbox', 'select', 'multiSelect', 'person', 'link')),
  help text not null,
  options jsonb not null check (jsonb_typeof(options) = 'array'),
  is_required boolean not null,
  default_value jsonb,
  visible_to text not null check (visible_to in ('everybody', 'administrators')),
  editable_by text not null check (editable_by in ('everybody', 'administrators')),
  active boolean not null,
  position integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index custom_fields_name on custom_fields (lower(name));
comment on column custom_fields.options is 'Of selects, in their order: [{"id", "name", "active"}].';

-- Values by key, without empty ones. In one column, so that a row without custom fields costs nothing and no field
-- changes the table.
alter table deals add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
