-- Sums of the deals that are not deleted by item, so that reports by item need not read every row; `item_id` is null for
-- deals without items. They are those of the rows except in the months of deal_sum_changes: a job computes a month again
-- when it moves its changes. Not by owner, because most groups would then have one row.
create table deal_item_sums (
  month text not null,
  dealership_id uuid not null,
  status_id uuid not null,
  item_id uuid,
  deals integer not null,
  sale_amount numeric not null,
  gross_profit numeric not null,
  commission numeric not null,
  with_rate integer not null,
  without_rate integer not null,
  closed integer not null,
  closing_seconds numeric not null,
  -- Of this item alone, at the price stored in each row.
  quantity bigint not null,
  amount numeric not null
);
comment on column deal_item_sums.dealership_id is 'No foreign key: as in deal_sums.';
comment on column deal_item_sums.status_id is 'No foreign key: as in deal_sums.';
comment on column deal_item_sums.item_id is 'No foreign key: as in deal_sums.';
create index deal_item_sums_month on deal_item_sums (month);

-- The job fills this table: each month counts as changed once.
insert into deal_sum_changes
select distinct on (month) month, dealership_id, status_id, owner_id, 0, 0, 0, 0, 0, 0, 0, 0 from deal_sums;

create function mark_item_sums() returns trigger language plpgsql as $$
begin
  insert into deal_sum_changes
  select distinct month, dealership_id, status_id, owner_id, 0, 0, 0, 0, 0, 0, 0, 0
  from changed join deals on deals.id = changed.deal_id where deleted_at is null;
  return null;
end
$$;
create trigger mark_added_items after insert on deal_items referencing new table as changed
  for each statement execute function mark_item_sums();
create trigger mark_changed_items after update on deal_items referencing new table as changed
  for each statement execute function mark_item_sums();
create trigger mark_removed_items after delete on deal_items referencing old table as changed
  for each statement execute function mark_item_sums();

create or replace function clear_deal_sums() returns trigger language plpgsql as $$
begin
  delete from deal_sums;
  delete from deal_sum_changes;
  delete from deal_item_sums;
  return null;
end
$$;
