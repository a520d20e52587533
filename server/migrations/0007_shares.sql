-- Who else may see or change a record, beside its owner: one list for all kinds of records that can be shared.

create table shares (
  entity text not null check (entity in ('dealership', 'email-template', 'item', 'deal')),
  record_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- One scale inside; each kind of record has its own words for it outside.
  level text not null check (level in ('view', 'edit', 'full')),
  shared_at timestamptz not null default now(),
  shared_by uuid not null references users,
  primary key (entity, record_id, user_id)
);
create index shares_of_person on shares (user_id, entity);

-- A foreign key cannot lead to several tables: the shares of a record go with it all the same.
create function remove_shares() returns trigger language plpgsql as $$
begin
  delete from shares where entity = tg_argv[0] and record_id = old.id;
  return null;
end
$$;
create trigger dealership_shares_go after delete on dealerships
  for each row execute function remove_shares('dealership');
create trigger email_template_shares_go after delete on email_templates
  for each row execute function remove_shares('email-template');
create trigger deal_shares_go after delete on deals
  for each row execute function remove_shares('deal');

-- What a person owns is looked for when it is handed over.
create index dealerships_owner on dealerships (owner_id);
create index email_templates_owner on email_templates (owner_id);
create index deals_owner on deals (owner_id) where deleted_at is null;
