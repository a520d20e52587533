-- Changes of what a deal shows of other tables, which do not set the xmin of its row: items, shares, messages, and the
-- names of statuses, dealerships and users. Instances that cache rows read them with each list
-- (server/src/features/deals/list/row-cache.ts). A row is only added, so that no edit waits for a message.
create table deal_part_changes (
  xid xid8 not null default pg_current_xact_id(),
  deal_id uuid
);
comment on column deal_part_changes.deal_id is 'Null: any deal. No foreign key: it would lock the deal.';
create index deal_part_changes_xid on deal_part_changes (xid);

-- A deal that the same transaction wrote has a new xmin anyway.
create function record_item_change() returns trigger language plpgsql as $$
begin
  insert into deal_part_changes (deal_id)
  select id from deals
  where id = case tg_op when 'DELETE' then old.deal_id else new.deal_id end and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;
create trigger record_item_change after insert or update or delete on deal_items
  for each row execute function record_item_change();

create function record_share_change() returns trigger language plpgsql as $$
begin
  insert into deal_part_changes (deal_id)
  select id from deals
  where id = case tg_op when 'DELETE' then old.record_id else new.record_id end and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;
create trigger record_share_change after insert or update or delete on shares
  for each row execute function record_share_change();

create function record_message_change() returns trigger language plpgsql as $$
begin
  insert into deal_part_changes (deal_id) select deal_id from email_deals where email_id = new.id;
  return null;
end
$$;
create trigger record_message_change after update of status, sent_at on emails
  for each row when (old.status <> new.status or old.sent_at is distinct from new.sent_at)
  execute function record_message_change();

create function record_mailed_deal_change() returns trigger language plpgsql as $$
begin
  insert into deal_part_changes (deal_id) values (case tg_op when 'DELETE' then old.deal_id else new.deal_id end);
  return null;
end
$$;
create trigger record_mailed_deal_change after insert or update or delete on email_deals
  for each row execute function record_mailed_deal_change();

create function record_name_change() returns trigger language plpgsql as $$
begin
  insert into deal_part_changes (deal_id) values (null);
  return null;
end
$$;
create trigger record_name_change after update of name on statuses
  for each row when (old.name <> new.name) execute function record_name_change();
create trigger record_name_change after update of name on dealerships
  for each row when (old.name <> new.name) execute function record_name_change();
create trigger record_name_change after update of name, email on users
  for each row when (old.name <> new.name or old.email::text <> new.email::text) execute function record_name_change();
