-- Not breaking: the former release writes none of the new kinds of notifications. It has no words for the refusal of a
-- closed month, and shows an error of the server.

-- Months that were closed, their statements, and the changes of money since (docs/product/month-close.md).
create table business_months (
  month text primary key check (month ~ '^\d{4}-\d{2}$'),
  state text not null check (state in ('closing', 'closed')),
  closing integer not null default 0,
  closed_at timestamptz,
  closed_by uuid references users,
  reopened_at timestamptz,
  reopened_by uuid references users,
  reopen_reason text,
  check (state <> 'closed' or closed_at is not null and closed_by is not null)
);
comment on table business_months is 'A month without a row is open.';
comment on column business_months.closing is
  'How often the month was closed. Statements and adjustments of an earlier closing are superseded.';

create table statements (
  id uuid primary key,
  kind text not null check (kind in ('commission', 'account')),
  month text not null references business_months,
  closing integer not null,
  number integer not null check (number > 0),
  owner_id uuid references users check ((kind = 'commission') = (owner_id is not null)),
  dealership_id uuid references dealerships check ((kind = 'account') = (dealership_id is not null)),
  lines_total numeric(14, 2) not null,
  content jsonb not null,
  -- So that a list reads no lines.
  head jsonb not null generated always as (content - '{lines,adjustments,waivers,companyName}'::text[]) stored,
  rows integer not null
    generated always as (jsonb_array_length(content -> 'lines') + jsonb_array_length(content -> 'adjustments')) stored,
  digest text not null,
  created_at timestamptz not null default now(),
  unique (kind, month, number)
);
create index statements_of_owner on statements (owner_id, month);

create table statement_notes (
  id uuid primary key,
  statement_id uuid not null references statements,
  kind text not null check (kind in ('seen', 'query', 'answer', 'sent')),
  text text not null check (length(text) <= 2000),
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index statement_notes_of_statement on statement_notes (statement_id);

create table month_adjustments (
  id bigint generated always as identity primary key,
  month text not null references business_months,
  closing integer not null,
  deal_id uuid not null,
  kind text not null check (kind in ('commission', 'account')),
  owner_id uuid references users check ((kind = 'commission') = (owner_id is not null)),
  dealership_id uuid references dealerships check ((kind = 'account') = (dealership_id is not null)),
  amount numeric(14, 2) not null,
  customer_name text not null,
  deal_number text not null,
  before jsonb,
  after jsonb,
  reason text not null check (length(reason) between 1 and 500),
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
comment on column month_adjustments.deal_id is 'No foreign key: a statement outlives its rows.';
create index month_adjustments_of_month on month_adjustments (month, closing);
create index month_adjustments_by_time on month_adjustments (created_at);

create table statement_adjustments (
  statement_id uuid not null references statements,
  adjustment_id bigint not null references month_adjustments,
  primary key (adjustment_id, statement_id)
);
create index statement_adjustments_of_statement on statement_adjustments (statement_id);

create function refuse_change_of_statement() returns trigger language plpgsql as $$
begin
  raise exception 'statements and adjustments cannot be changed or removed';
end
$$;
create trigger statements_are_final before update or delete on statements
  for each row execute function refuse_change_of_statement();
create trigger statements_stay before truncate on statements
  for each statement execute function refuse_change_of_statement();
create trigger statement_notes_are_final before update or delete on statement_notes
  for each row execute function refuse_change_of_statement();
create trigger statement_notes_stay before truncate on statement_notes
  for each statement execute function refuse_change_of_statement();
create trigger month_adjustments_are_final before update or delete on month_adjustments
  for each row execute function refuse_change_of_statement();
create trigger month_adjustments_stay before truncate on month_adjustments
  for each statement execute function refuse_change_of_statement();
create trigger statement_adjustments_are_final before update or delete on statement_adjustments
  for each row execute function refuse_change_of_statement();
create trigger statement_adjustments_stay before truncate on statement_adjustments
  for each statement execute function refuse_change_of_statement();

-- The closing of a month; null if it is open. A writer of money holds the lock of its month together with others, and a close
-- holds it alone: each waits for the other, and an open month stays open until the transaction of the writer ends.
create function closing_of(which text) returns integer language plpgsql as $$
declare
  closed_as integer;
begin
  if current_setting('forecourt.open_month', true) = which then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('money ' || which, 0));
  -- A statement of its own, so that it sees what a close has committed in the meantime.
  select closing into closed_as from business_months where month = which and state = 'closed';
  if closed_as is null then
    perform set_config('forecourt.open_month', which, true);
  end if;
  return closed_as;
end
$$;

-- The reason of the transaction, its author, or an error if there is none.
create function adjustment_for(which text) returns jsonb language plpgsql as $$
declare
  given jsonb := nullif(current_setting('forecourt.adjustment', true), '');
begin
  if given is null then
    raise exception using errcode = 'MC001', message = format('%s is closed', which), detail = which;
  end if;
  return given;
end
$$;

create function counts_for_commission(status uuid) returns boolean language sql stable as $$
  select counts_for_commission is not false from statuses where id = status
$$;

create function money_of(deal deals) returns jsonb language sql stable as $$
  select jsonb_build_object('saleAmount', deal.sale_amount, 'costAmount', deal.cost_amount,
    'commissionRate', deal.commission_rate, 'month', deal.month,
    'status', (select name from statuses where id = deal.status_id),
    'dealershipName', (select name from dealerships where id = deal.dealership_id),
    'ownerName', (select name from users where id = deal.owner_id))
$$;

create function items_of(deal uuid) returns text language sql stable as $$
  select coalesce(string_agg(name || case when quantity > 1 then ' × ' || quantity else '' end, ', ' order by position), '')
  from deal_items where deal_id = deal
$$;

-- The only place that decides about money in closed months: it refuses a change, or records its adjustments.
create function adjust_closed_months() returns trigger language plpgsql as $$
declare
  was_there boolean := tg_op <> 'INSERT' and old.deleted_at is null;
  is_there boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  old_closing integer := case when was_there then closing_of(old.month) end;
  new_closing integer := case when is_there then closing_of(new.month) end;
  did_count boolean;
  counts boolean;
  given jsonb;
  deal deals;
  before_it jsonb;
  after_it jsonb;
begin
  if old_closing is null and new_closing is null then
    return null;
  end if;
  did_count := was_there and counts_for_commission(old.status_id);
  counts := is_there and counts_for_commission(new.status_id);
  if was_there and is_there and did_count = counts
    and row (old.month, old.sale_amount, old.cost_amount, old.commission_rate, old.owner_id, old.dealership_id,
      old.field_versions -> 'items')
    is not distinct from row (new.month, new.sale_amount, new.cost_amount, new.commission_rate, new.owner_id,
      new.dealership_id, new.field_versions -> 'items')
  then
    return null;
  end if;
  given := adjustment_for(case when old_closing is null then new.month else old.month end);
  deal := case when is_there then new else old end;
  before_it := case when was_there then money_of(old) end;
  after_it := case when is_there then money_of(new) end;
  if was_there and is_there then
    select jsonb_object_agg(key, value) filter (where value is distinct from after_it -> key),
      jsonb_object_agg(key, after_it -> key) filter (where value is distinct from after_it -> key)
    into before_it, after_it from jsonb_each(before_it);
    if old.field_versions -> 'items' is distinct from new.field_versions -> 'items' then
      -- The items themselves are replaced after their row.
      before_it := coalesce(before_it, '{}') || jsonb_build_object('items', items_of(old.id));
      after_it := coalesce(after_it, '{}') || jsonb_build_object('items', null);
    end if;
  end if;
  insert into month_adjustments (month, closing, deal_id, kind, owner_id, dealership_id, amount, customer_name,
    deal_number, before, after, reason, created_by)
  select part.month, part.closing, deal.id, part.kind, part.owner_id, part.dealership_id, sum(part.amount),
    deal.customer_name, deal.deal_number, before_it, after_it, given ->> 'reason', (given ->> 'userId')::uuid
  from (values
    (old.month, old_closing, 'commission', old.owner_id, null::uuid, case when did_count then - coalesce(old.commission, 0) else 0 end),
    (new.month, new_closing, 'commission', new.owner_id, null, case when counts then coalesce(new.commission, 0) else 0 end),
    (old.month, old_closing, 'account', null, old.dealership_id, case when did_count then - coalesce(old.sale_amount, 0) else 0 end),
    (new.month, new_closing, 'account', null, new.dealership_id, case when counts then coalesce(new.sale_amount, 0) else 0 end)
  ) as part (month, closing, kind, owner_id, dealership_id, amount)
  where part.closing is not null
  group by part.month, part.closing, part.kind, part.owner_id, part.dealership_id
  -- A dealership is not told of costs.
  having part.kind = 'commission' or sum(part.amount) <> 0
  order by part.kind desc, part.month;
  return null;
end
$$;

create trigger adjust_closed_months_of_new after insert on deals
  for each row execute function adjust_closed_months();
create trigger adjust_closed_months after update on deals
  for each row when (
    old.month <> new.month or old.owner_id <> new.owner_id or old.dealership_id <> new.dealership_id
    or old.status_id <> new.status_id or old.sale_amount is distinct from new.sale_amount
    or old.cost_amount is distinct from new.cost_amount or old.commission_rate is distinct from new.commission_rate
    or (old.deleted_at is null) <> (new.deleted_at is null)
    or old.field_versions -> 'items' is distinct from new.field_versions -> 'items')
  execute function adjust_closed_months();
create trigger adjust_closed_months_of_gone after delete on deals
  for each row when (old.deleted_at is null) execute function adjust_closed_months();

-- Items belong to the money of their row, whose adjustment names them.
create function refuse_items_in_closed_months() returns trigger language plpgsql as $$
declare
  which text;
begin
  select deals.month into which from changed join deals on deals.id = changed.deal_id
  where deals.deleted_at is null and closing_of(deals.month) is not null limit 1;
  if which is not null then
    perform adjustment_for(which);
  end if;
  return null;
end
$$;
create trigger refuse_items_in_closed_months after insert on deal_items referencing new table as changed
  for each statement execute function refuse_items_in_closed_months();
create trigger refuse_lost_items_in_closed_months after delete on deal_items referencing old table as changed
  for each statement execute function refuse_items_in_closed_months();

-- A status that begins or ceases to count changes the money of all its rows.
create function adjust_months_of_status() returns trigger language plpgsql as $$
declare
  which text;
  given jsonb;
begin
  -- A close that runs now would read the former meaning, and its month is not closed yet.
  perform pg_advisory_xact_lock(hashtextextended('month closes', 0));
  -- Alone, in one order: a row that gets or loses the status at this moment is adjusted once.
  perform pg_advisory_xact_lock(hashtextextended('money ' || month, 0))
  from (select month from business_months where state = 'closed' order by month) as closed;
  select deals.month into which from deals join business_months on business_months.month = deals.month
  where deals.status_id = new.id and deals.deleted_at is null and business_months.state = 'closed'
    and (coalesce(deals.commission, 0) <> 0 or coalesce(deals.sale_amount, 0) <> 0)
  order by deals.month limit 1;
  if which is null then
    return null;
  end if;
  given := adjustment_for(which);
  insert into month_adjustments (month, closing, deal_id, kind, owner_id, dealership_id, amount, customer_name,
    deal_number, before, after, reason, created_by)
  select deals.month, business_months.closing, deals.id, part.kind, part.owner_id, part.dealership_id,
    case when new.counts_for_commission is not false then part.amount else - part.amount end,
    deals.customer_name, deals.deal_number,
    jsonb_build_object('counts', old.counts_for_commission is not false),
    jsonb_build_object('counts', new.counts_for_commission is not false),
    given ->> 'reason', (given ->> 'userId')::uuid
  from deals join business_months on business_months.month = deals.month,
    lateral (values
      ('commission', deals.owner_id, null::uuid, deals.commission),
      ('account', null, deals.dealership_id, deals.sale_amount)
    ) as part (kind, owner_id, dealership_id, amount)
  where deals.status_id = new.id and deals.deleted_at is null and business_months.state = 'closed' and part.amount <> 0
  order by part.kind desc, deals.id;
  return null;
end
$$;
create trigger adjust_months_of_status after update of counts_for_commission on statuses
  for each row when ((old.counts_for_commission is not false) <> (new.counts_for_commission is not false))
  execute function adjust_months_of_status();

alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in (
    'shared', 'transferred', 'followUp', 'emailFailed', 'emailUnconfirmed', 'exportReady', 'diskLow',
    'diskAlmostFull', 'mailHeld', 'comment', 'commentMention', 'backupFailed', 'restoreTestFailed',
    'backupCopyFailed', 'backupOverdue', 'statement', 'statementQuery', 'statementAnswer'));
