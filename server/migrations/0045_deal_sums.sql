-- Sums of the deals that are not deleted, so that figures of all months need not read every row.
create table deal_sums (
  month text not null,
  dealership_id uuid not null,
  status_id uuid not null,
  owner_id uuid not null,
  deals integer not null,
  sale_amount numeric not null,
  -- Of rows with both amounts.
  gross_profit numeric not null,
  commission numeric not null,
  -- Rows with a sale amount, with and without a commission rate.
  with_rate integer not null,
  without_rate integer not null,
  closed integer not null,
  -- The time from creation to closing of all closed rows.
  closing_seconds numeric not null,
  primary key (month, dealership_id, status_id, owner_id)
);
comment on column deal_sums.dealership_id is 'No foreign key: triggers on deals keep the sums.';
comment on column deal_sums.status_id is 'No foreign key: as dealership_id.';
comment on column deal_sums.owner_id is 'No foreign key: as dealership_id.';

-- What writes add to the sums, and a job folds into them: writers of one month do not wait for each other.
create table deal_sum_changes (
  month text not null,
  dealership_id uuid not null,
  status_id uuid not null,
  owner_id uuid not null,
  deals integer not null,
  sale_amount numeric not null,
  gross_profit numeric not null,
  commission numeric not null,
  with_rate integer not null,
  without_rate integer not null,
  closed integer not null,
  closing_seconds numeric not null
);
comment on column deal_sum_changes.dealership_id is 'No foreign key: as in deal_sums.';
comment on column deal_sum_changes.status_id is 'No foreign key: as in deal_sums.';
comment on column deal_sum_changes.owner_id is 'No foreign key: as in deal_sums.';

create function add_deal_sums() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into deal_sum_changes
  select month, dealership_id, status_id, owner_id, sign * count(*), sign * coalesce(sum(sale_amount), 0),
    sign * coalesce(sum(sale_amount - cost_amount), 0), sign * coalesce(sum(commission), 0),
    sign * count(commission),
    sign * count(*) filter (where sale_amount is not null and commission_rate is null), sign * count(closed_at),
    sign * coalesce(sum(extract(epoch from closed_at - created_at)), 0)
  from changed where deleted_at is null
  group by month, dealership_id, status_id, owner_id;
  return null;
end
$$;

create function move_deal_sums() returns trigger language plpgsql as $$
begin
  insert into deal_sum_changes
  select (deal).month, (deal).dealership_id, (deal).status_id, (deal).owner_id, sign,
    sign * coalesce((deal).sale_amount, 0), sign * coalesce((deal).sale_amount - (deal).cost_amount, 0),
    sign * coalesce((deal).commission, 0), case when (deal).commission is not null then sign else 0 end,
    case when (deal).sale_amount is not null and (deal).commission_rate is null then sign else 0 end,
    case when (deal).closed_at is not null then sign else 0 end,
    sign * coalesce(extract(epoch from (deal).closed_at - (deal).created_at), 0)
  from (values (old, -1), (new, 1)) as moved (deal, sign) where (deal).deleted_at is null;
  return null;
end
$$;

create function clear_deal_sums() returns trigger language plpgsql as $$
begin
  delete from deal_sums;
  delete from deal_sum_changes;
  return null;
end
$$;

create trigger add_deal_sums after insert on deals referencing new table as changed
  for each statement execute function add_deal_sums();
create trigger remove_deal_sums after delete on deals referencing old table as changed
  for each statement execute function add_deal_sums();
-- Not for each statement, which could not name columns: a change of other fields costs nothing.
create trigger move_deal_sums
  after update of month, dealership_id, status_id, owner_id, sale_amount, cost_amount, commission_rate, deleted_at,
    created_at, closed_at on deals
  for each row execute function move_deal_sums();
create trigger clear_deal_sums after truncate on deals for each statement execute function clear_deal_sums();

insert into deal_sums
select month, dealership_id, status_id, owner_id, count(*), coalesce(sum(sale_amount), 0),
  coalesce(sum(sale_amount - cost_amount), 0), coalesce(sum(commission), 0), count(commission),
  count(*) filter (where sale_amount is not null and commission_rate is null), count(closed_at),
  coalesce(sum(extract(epoch from closed_at - created_at)), 0)
from deals where deleted_at is null
group by month, dealership_id, status_id, owner_id;
