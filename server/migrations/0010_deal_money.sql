-- What a row earns, and who took it out of sight.

-- Half a cent and more is a cent. One formula, for the row and for whoever wants to know before it is written.
create function commission_of(sale_amount numeric, rate numeric) returns numeric
  language sql immutable strict parallel safe
  return round(sale_amount * rate * 0.01, 2);

-- The percentage that held when dealership, owner or sale amount was set; null: none of them was since there are rates.
alter table deals add column commission_rate numeric(5, 2) check (commission_rate between 0 and 100);
alter table deals add column commission numeric(12, 2)
  generated always as (commission_of(sale_amount, commission_rate)) stored;

-- Who deleted a row may take that back for a while. Of rows that are deleted already, nobody knows it.
alter table deals add column deleted_by uuid references users;
