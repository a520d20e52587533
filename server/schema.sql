-- What the migrations result in. Written by `npm run schema`; never edited by hand.
set check_function_bodies = off;
create schema forecourt;
create schema if not exists extensions;
create extension if not exists citext schema extensions;
create extension if not exists pg_trgm schema extensions;
set search_path = forecourt, extensions;
create collation natural_order (provider = icu, locale = 'en-AU-u-kn-true-ks-level1', deterministic = false);
CREATE OR REPLACE FUNCTION forecourt.forbid_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    if new.before is null and new.after is null and new.salt is null
      and to_jsonb(new) - '{before,after,salt}'::text[] = to_jsonb(old) - '{before,after,salt}'::text[]
      and exists (select from audit_redactions where entry_id = old.id)
    then
      return new;
    end if;
  end if;
  raise exception 'audit entries cannot be changed or removed';
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.delete_shares()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from shares where entity = tg_argv[0] and record_id = old.id;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.commission_of(sale_amount numeric, rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN round(((sale_amount * rate) * 0.01), 2)
;
CREATE OR REPLACE FUNCTION forecourt.audit_values_digest(salt uuid, before jsonb, after jsonb)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(salt, before, after)::text, 'UTF8'))
$function$
;
CREATE OR REPLACE FUNCTION forecourt.record_sign_in_failure(email text, ip text, account_waits double precision[], address_failures bigint, address_wait double precision, OUT account text, OUT failure_ids bigint[], OUT wait double precision)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  address constant text := 'address:' || ip;
  since constant timestamptz := now() - interval '15 minutes';
  failures bigint;
  seconds_ago double precision;
begin
  account := 'account:' || lower(email);
  -- The account's lock always comes first: no deadlock.
  perform pg_advisory_xact_lock(hashtextextended(account, 0));
  perform pg_advisory_xact_lock(hashtextextended(address, 0));

  -- A failure of a transaction that this one waited for can be newer than now(): it counts as 0 seconds ago.
  select count(*), coalesce(greatest(0, extract(epoch from now() - max(created_at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = account and created_at > since;
  wait := account_waits[least(failures + 1, cardinality(account_waits))] - seconds_ago;

  select count(*), coalesce(greatest(0, extract(epoch from now() - max(created_at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = address and created_at > since;
  if failures >= address_failures then
    wait := greatest(wait, address_wait - seconds_ago);
  end if;

  if wait <= 0 then
    with new as (insert into sign_in_failures (subject) values (account), (address) returning id)
      select array_agg(id) into failure_ids from new;
  end if;
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.add_deal_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION forecourt.move_deal_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION forecourt.clear_deal_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from deal_sums;
  delete from deal_sum_changes;
  delete from deal_item_sums;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.mark_item_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deal_sum_changes
  select distinct month, dealership_id, status_id, owner_id, 0, 0, 0, 0, 0, 0, 0, 0
  from changed join deals on deals.id = changed.deal_id where deleted_at is null;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.count_sealed_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_counts as counts
  select id / 1000, date_bin('15 minutes', created_at, 'epoch'), entity, action, count(*), count(actor_id), min(id), max(id)
  from sealed join audit_entries on id = entry_id
  group by 1, 2, 3, 4
  on conflict (quarter, thousand, entity, action) do update set
    entries = counts.entries + excluded.entries, by_people = counts.by_people + excluded.by_people,
    first_id = least(counts.first_id, excluded.first_id), last_id = greatest(counts.last_id, excluded.last_id);
  insert into audit_people as people
  select actor_id, id / 1000, count(*) filter (where entity <> 'session'), min(id), max(id)
  from sealed join audit_entries on id = entry_id
  where actor_id is not null
  group by 1, 2
  on conflict (actor_id, thousand) do update set
    actions = people.actions + excluded.actions,
    first_id = least(people.first_id, excluded.first_id), last_id = greatest(people.last_id, excluded.last_id);
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION forecourt.refuse_change_of_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'statements and adjustments cannot be changed or removed';
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.closing_of(which text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION forecourt.adjustment_for(which text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  given jsonb := nullif(current_setting('forecourt.adjustment', true), '');
begin
  if given is null then
    raise exception using errcode = 'MC001', message = format('%s is closed', which), detail = which;
  end if;
  return given;
end
$function$
;
CREATE OR REPLACE FUNCTION forecourt.counts_for_commission(status uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select counts_for_commission is not false from statuses where id = status
$function$
;
CREATE OR REPLACE FUNCTION forecourt.items_of(deal uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(string_agg(name || case when quantity > 1 then ' × ' || quantity else '' end, ', ' order by position), '')
  from deal_items where deal_id = deal
$function$
;
CREATE OR REPLACE FUNCTION forecourt.adjust_closed_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION forecourt.refuse_items_in_closed_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION forecourt.adjust_months_of_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;
create table audit_counts (
  thousand bigint not null,
  quarter timestamp with time zone not null,
  entity text not null,
  action text not null,
  entries integer not null,
  by_people integer not null,
  first_id bigint not null,
  last_id bigint not null
);
comment on column audit_counts.first_id is 'The first entry. No foreign key: as audit_redactions.entry_id.';
comment on column audit_counts.last_id is 'The last entry. No foreign key: as audit_redactions.entry_id.';
create table audit_entries (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamp with time zone not null default now(),
  actor_id uuid,
  actor_name text not null,
  ip text not null,
  request_id text not null,
  action text not null,
  entity text not null,
  record_id uuid,
  version integer,
  before jsonb,
  after jsonb,
  salt uuid default gen_random_uuid(),
  change_set_id uuid
);
comment on column audit_entries.actor_id is 'No foreign key: an entry outlives the person, also when a restore replaces the people.';
comment on column audit_entries.change_set_id is 'No foreign key: the check of an order of inserts would cost every write of a cell.';
comment on column audit_entries.record_id is 'No foreign key: records of every kind, and an entry outlives them.';
create table audit_head (
  singleton boolean not null default true,
  number bigint not null,
  hash bytea not null,
  signature text not null,
  key_id text not null,
  constraint audit_head_singleton_check CHECK (singleton)
);
create table audit_people (
  actor_id uuid not null,
  thousand bigint not null,
  actions integer not null,
  first_id bigint not null,
  last_id bigint not null
);
comment on column audit_people.actor_id is 'No foreign key: as audit_entries.actor_id.';
comment on column audit_people.first_id is 'The first entry. No foreign key: as audit_redactions.entry_id.';
comment on column audit_people.last_id is 'The last entry. No foreign key: as audit_redactions.entry_id.';
create table audit_redactions (
  entry_id bigint not null,
  values_digest bytea not null,
  order_id bigint not null
);
comment on column audit_redactions.entry_id is 'No foreign key: the audit check reports a missing entry, and the backup of a damaged log must still restore.';
comment on column audit_redactions.order_id is 'The entry of the order to remove the values. No foreign key: as entry_id.';
create table audit_seal_entries (
  entry_id bigint not null,
  seal bigint not null,
  digest bytea not null
);
comment on column audit_seal_entries.entry_id is 'No foreign key: as audit_redactions.entry_id.';
create table audit_seals (
  number bigint not null,
  sealed_at timestamp with time zone not null default now(),
  horizon xid8 not null,
  entries integer not null,
  hash bytea not null,
  signature text not null,
  key_id text not null
);
create table backup_copies (
  backup_id uuid not null,
  destination text not null,
  state text not null,
  problem text,
  due_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  leased_until timestamp with time zone,
  path text,
  constraint backup_copies_destination_check CHECK (destination = ANY (ARRAY['ssh'::text, 's3'::text])),
  constraint backup_copies_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'copied'::text, 'failed'::text]))
);
comment on column backup_copies.path is 'Path at the destination, where a fetch looks first: the settings may name another folder by then.';
create table backup_host_keys (
  host text not null,
  port integer not null,
  algorithm text not null,
  fingerprint text not null,
  pinned_at timestamp with time zone not null default now()
);
create table backup_settings (
  singleton boolean not null default true,
  scheduler_running boolean not null default true,
  last_hour timestamp with time zone not null default now(),
  hour_leased_until timestamp with time zone,
  last_problem text,
  last_restore_test date,
  ssh_enabled_at timestamp with time zone,
  ssh_host text not null default ''::text,
  ssh_port integer not null default 22,
  ssh_username text not null default ''::text,
  ssh_auth_method text not null default 'privateKey'::text,
  ssh_private_key text,
  ssh_passphrase text,
  ssh_password text,
  ssh_remote_path text not null default ''::text,
  ssh_keep_local_copies boolean not null default true,
  ssh_connection_timeout integer not null default 30,
  ssh_server_name text not null default ''::text,
  ssh_verified text,
  ssh_verified_at timestamp with time zone,
  ssh_version integer not null default 1,
  restore_test_leased_until timestamp with time zone,
  restore_test_attempts integer not null default 0,
  running_since timestamp with time zone not null default now(),
  restore_test_problem text,
  s3_enabled_at timestamp with time zone,
  s3_endpoint text not null default ''::text,
  s3_region text not null default 'us-east-1'::text,
  s3_bucket text not null default ''::text,
  s3_prefix text not null default ''::text,
  s3_path_style boolean not null default false,
  s3_access_key_id text not null default ''::text,
  s3_secret_access_key text,
  s3_keep_local_copies boolean not null default true,
  s3_verified text,
  s3_verified_at timestamp with time zone,
  s3_version integer not null default 1,
  hour_started_at timestamp with time zone,
  restore_test_started_at timestamp with time zone,
  watched_at timestamp with time zone not null default now(),
  watched_since timestamp with time zone not null default now(),
  constraint backup_settings_singleton_check CHECK (singleton),
  constraint backup_settings_ssh_auth_method_check CHECK (ssh_auth_method = ANY (ARRAY['privateKey'::text, 'password'::text])),
  constraint backup_settings_ssh_connection_timeout_check CHECK (ssh_connection_timeout >= 5 AND ssh_connection_timeout <= 300),
  constraint backup_settings_ssh_port_check CHECK (ssh_port >= 1 AND ssh_port <= 65535)
);
comment on column backup_settings.hour_started_at is 'When the attempt of an hourly backup that has no outcome yet began.';
comment on column backup_settings.restore_test_problem is 'Why the newest restore test failed, for display; null if it did not.';
comment on column backup_settings.restore_test_started_at is 'When the attempt of a restore test that has no outcome yet began.';
comment on column backup_settings.running_since is 'When the scheduler was turned on.';
comment on column backup_settings.s3_enabled_at is 'Since when finished backups are copied to S3; null: they are not.';
comment on column backup_settings.s3_verified is 'Keyed digest of the settings that passed the newest connection test.';
comment on column backup_settings.watched_at is 'When an instance last checked the state of backups, to the minute.';
comment on column backup_settings.watched_since is 'Since when instances have checked it without a gap of an hour. Restarts are no gap.';
create table backups (
  id uuid not null,
  name text not null,
  size bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  origin text not null,
  job_id uuid,
  finished_at timestamp with time zone,
  file_sha256 bytea,
  signature text,
  schema_version integer,
  row_count bigint,
  verified_at timestamp with time zone,
  proven_at timestamp with time zone,
  problem text,
  is_local boolean not null default true,
  fetch_started_at timestamp with time zone,
  embeds_files boolean not null default false,
  constraint backups_name_check CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$'::text),
  constraint backups_origin_check CHECK (origin = ANY (ARRAY['made'::text, 'uploaded'::text, 'found'::text])),
  constraint backups_signature_check CHECK (signature = ANY (ARRAY['own'::text, 'foreign'::text, 'unsigned'::text]))
);
create table business_months (
  month text not null,
  state text not null,
  closing integer not null default 0,
  closed_at timestamp with time zone,
  closed_by uuid,
  reopened_at timestamp with time zone,
  reopened_by uuid,
  reopen_reason text,
  constraint business_months_check CHECK (state <> 'closed'::text OR closed_at IS NOT NULL AND closed_by IS NOT NULL),
  constraint business_months_month_check CHECK (month ~ '^\d{4}-\d{2}$'::text),
  constraint business_months_state_check CHECK (state = ANY (ARRAY['closing'::text, 'closed'::text]))
);
comment on column business_months.closing is 'How often the month was closed. Statements and adjustments of an earlier closing are superseded.';
create table change_sets (
  id uuid not null,
  kind text not null,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamp with time zone not null default now(),
  counted_to bigint,
  rows integer,
  added integer,
  changed integer,
  deleted integer,
  restored integer,
  first_row uuid,
  first_month text,
  last_month text,
  last_at timestamp with time zone,
  of_set uuid,
  constraint change_sets_kind_check CHECK (kind = ANY (ARRAY['edit'::text, 'paste'::text, 'fill'::text, 'bulk'::text, 'import'::text, 'undo'::text, 'api'::text, 'revert'::text, 'updateByImport'::text, 'merge'::text, 'backup'::text]))
);
comment on column change_sets.created_by is 'No foreign key: as audit_entries.actor_id.';
comment on column change_sets.first_row is 'Unused, but written by instances of the former release. A later migration removes it.';
comment on column change_sets.of_set is 'No foreign key: that set is missing where its rows were saved with a later one.';
create table contacts (
  dealership_id uuid not null,
  "position" integer not null,
  name text not null,
  email text not null,
  template_name text,
  include_in_to boolean not null,
  include_in_cc boolean not null,
  active boolean not null,
  template_id uuid,
  constraint contacts_template_check CHECK ((template_id IS NULL) <> (template_name IS NULL))
);
comment on column contacts.template_name is 'Only where no template has this name. The first one that gets it becomes the template of the contact.';
create table custom_fields (
  id uuid not null,
  key text not null,
  name text not null,
  type text not null,
  help text not null,
  options jsonb not null,
  is_required boolean not null,
  default_value jsonb,
  visible_to text not null,
  editable_by text not null,
  active boolean not null,
  "position" integer not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint custom_fields_editable_by_check CHECK (editable_by = ANY (ARRAY['everybody'::text, 'administrators'::text])),
  constraint custom_fields_key_check CHECK (key ~ '^custom[1-9][0-9]{0,5}$'::text),
  constraint custom_fields_name_check CHECK (length(name) >= 1 AND length(name) <= 60),
  constraint custom_fields_options_check CHECK (jsonb_typeof(options) = 'array'::text),
  constraint custom_fields_type_check CHECK (type = ANY (ARRAY['text'::text, 'longText'::text, 'number'::text, 'currency'::text, 'percent'::text, 'date'::text, 'checkbox'::text, 'select'::text, 'multiSelect'::text, 'person'::text, 'link'::text])),
  constraint custom_fields_visible_to_check CHECK (visible_to = ANY (ARRAY['everybody'::text, 'administrators'::text]))
);
comment on column custom_fields.options is 'Of selects, in their order: [{"id", "name", "active"}].';
create table data_folder (
  singleton boolean not null default true,
  id uuid not null,
  constraint data_folder_singleton_check CHECK (singleton)
);
create table deal_attachment_chunks (
  attachment_id uuid not null,
  "position" integer not null,
  content bytea not null
);
alter table deal_attachment_chunks alter column content set storage external;
create table deal_attachments (
  id uuid not null,
  deal_id uuid not null,
  name text not null,
  type text not null,
  size integer not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  digest bytea,
  constraint deal_attachments_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint deal_attachments_size_check CHECK (size >= 1 AND size <= 20971520)
);
comment on column deal_attachments.type is 'MIME type, from the content.';
create table deal_comment_mentions (
  comment_id uuid not null,
  user_id uuid not null
);
create table deal_comment_reads (
  user_id uuid not null,
  deal_id uuid not null,
  read_up_to uuid not null
);
comment on column deal_comment_reads.read_up_to is 'The newest comment that the user has read. No foreign key: it may be deleted.';
create table deal_comments (
  id uuid not null,
  deal_id uuid not null,
  author_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  edited_at timestamp with time zone,
  version integer not null default 1,
  constraint deal_comments_body_check CHECK (length(body) >= 1 AND length(body) <= 2000)
);
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
  quantity bigint not null,
  amount numeric not null
);
comment on column deal_item_sums.dealership_id is 'No foreign key: as in deal_sums.';
comment on column deal_item_sums.item_id is 'No foreign key: as in deal_sums.';
comment on column deal_item_sums.status_id is 'No foreign key: as in deal_sums.';
create table deal_items (
  deal_id uuid not null,
  "position" integer not null,
  item_id uuid not null,
  name text not null,
  quantity integer not null,
  unit_price numeric(12,2) not null,
  constraint deal_items_quantity_check CHECK (quantity >= 1 AND quantity <= 9999),
  constraint deal_items_unit_price_check CHECK (unit_price >= 0::numeric)
);
create table deal_merge_parts (
  deal_id uuid not null,
  kind text not null,
  part_id uuid not null,
  deal_version integer,
  constraint deal_merge_parts_kind_check CHECK (kind = ANY (ARRAY['comment'::text, 'attachment'::text, 'email'::text, 'notification'::text]))
);
comment on column deal_merge_parts.deal_version is 'Of an email: the version of the row in the message.';
comment on column deal_merge_parts.part_id is 'No foreign key: records of several kinds, and one that was deleted since does not go back.';
create table deal_merges (
  deal_id uuid not null,
  survivor_id uuid not null
);
comment on column deal_merges.deal_id is 'No foreign key: links to the row lead to the survivor also when the row is purged.';
comment on column deal_merges.survivor_id is 'No foreign key: as deal_id. A purge of the survivor removes the entry.';
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
comment on column deal_sum_changes.owner_id is 'No foreign key: as in deal_sums.';
comment on column deal_sum_changes.status_id is 'No foreign key: as in deal_sums.';
create table deal_sums (
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
comment on column deal_sums.dealership_id is 'No foreign key: triggers on deals keep the sums.';
comment on column deal_sums.owner_id is 'No foreign key: as dealership_id.';
comment on column deal_sums.status_id is 'No foreign key: as dealership_id.';
create table deal_views (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  is_shared boolean not null default false,
  arrangement jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint deal_views_name_check CHECK (length(name) >= 1 AND length(name) <= 60)
);
create table dealerships (
  id uuid not null,
  name text not null,
  address text not null,
  default_template_id uuid,
  active boolean not null default true,
  owner_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  import_columns jsonb not null default '{}'::jsonb,
  constraint dealerships_address_check CHECK (length(address) >= 1 AND length(address) <= 400),
  constraint dealerships_name_check CHECK (length(name) >= 1 AND length(name) <= 120)
);
create table deals (
  id uuid not null,
  status_id uuid not null,
  dealership_id uuid not null,
  customer_name text not null,
  customer_number text not null default ''::text,
  customer_email text not null default ''::text,
  deal_number text not null default ''::text,
  vehicle text not null default ''::text,
  delivery_date date,
  sale_amount numeric(12,2),
  cost_amount numeric(12,2),
  notes text not null default ''::text,
  follow_up_at timestamp with time zone,
  month text not null,
  owner_id uuid not null,
  created_by uuid not null,
  version integer not null default 1,
  field_versions jsonb not null default '{}'::jsonb,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  updated_by uuid not null,
  commission_rate numeric(5,2),
  commission numeric(12,2) generated always as (commission_of(sale_amount, commission_rate)) stored,
  deleted_by uuid,
  draft_key uuid,
  search_text text not null generated always as (lower(((((((((customer_name || ' '::text) || deal_number) || ' '::text) || vehicle) || ' '::text) || customer_email) || ' '::text) || regexp_replace(customer_number, '\D'::text, ''::text, 'g'::text)))) stored,
  closed_at timestamp with time zone,
  custom jsonb not null default '{}'::jsonb,
  constraint deals_commission_rate_check CHECK (commission_rate >= 0::numeric AND commission_rate <= 100::numeric),
  constraint deals_cost_amount_check CHECK (cost_amount >= 0::numeric),
  constraint deals_custom_check CHECK (jsonb_typeof(custom) = 'object'::text),
  constraint deals_customer_name_check CHECK (length(customer_name) >= 1 AND length(customer_name) <= 120),
  constraint deals_customer_number_check CHECK (customer_number ~ '^(|\(\d{4}\) \d{3} \d{3})$'::text),
  constraint deals_deal_number_check CHECK (length(deal_number) <= 40),
  constraint deals_month_check CHECK (month ~ '^\d{4}-\d{2}$'::text),
  constraint deals_notes_check CHECK (length(notes) <= 5000),
  constraint deals_sale_amount_check CHECK (sale_amount >= 0::numeric)
);
alter table deals set (fillfactor=90);
comment on column deals.created_by is 'No foreign key: people are never deleted, and the check would cost every new row.';
comment on column deals.deleted_by is 'No foreign key: as created_by.';
comment on column deals.updated_by is 'No foreign key: as created_by.';
create table do_not_contact (
  id uuid not null,
  kind text not null,
  value text not null,
  reason text not null,
  added_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint do_not_contact_kind_check CHECK (kind = ANY (ARRAY['phone'::text, 'email'::text]))
);
create table download_tickets (
  ticket_hash bytea not null,
  session_id uuid not null,
  kind text not null,
  record_id text not null,
  expires_at timestamp with time zone not null
);
comment on column download_tickets.record_id is 'No foreign key: records of several kinds.';
comment on column download_tickets.session_id is 'No foreign key: a restore replaces the sessions and keeps this table. A ticket of no session is refused.';
create table email_attachment_uses (
  email_id uuid not null,
  attachment_id uuid not null,
  "position" integer not null
);
create table email_attachments (
  id uuid not null,
  name text not null,
  type text not null,
  content bytea,
  is_used boolean not null default false,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  digest bytea,
  constraint email_attachments_check CHECK (num_nonnulls(content, digest) = 1),
  constraint email_attachments_content_check CHECK (length(content) >= 1 AND length(content) <= 10485760),
  constraint email_attachments_name_check CHECK (length(name) >= 1 AND length(name) <= 200)
);
alter table email_attachments alter column content set storage external;
create table email_deals (
  deal_id uuid not null,
  email_id uuid not null,
  deal_version integer
);
create table email_images (
  email_id uuid not null,
  image_id uuid not null
);
create table email_settings (
  user_id uuid not null,
  smtp_host text not null,
  smtp_port integer not null,
  smtp_secure boolean not null,
  smtp_user text not null,
  smtp_password text,
  smtp_from_email text not null,
  last_verified timestamp with time zone,
  pause_reason text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  provider text,
  refresh_token text,
  constraint email_settings_provider_check CHECK (provider = ANY (ARRAY['microsoft'::text, 'google'::text])),
  constraint email_settings_sign_in CHECK (smtp_password IS NOT NULL AND provider IS NULL AND refresh_token IS NULL OR smtp_password IS NULL AND provider IS NOT NULL AND refresh_token IS NOT NULL),
  constraint email_settings_smtp_port_check CHECK (smtp_port >= 1 AND smtp_port <= 65535)
);
create table email_template_versions (
  id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  subject text not null,
  document jsonb not null,
  variables jsonb not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  restored_from integer
);
create table email_templates (
  id uuid not null,
  name text not null,
  subject text not null,
  status text not null,
  document jsonb not null,
  variables jsonb not null,
  owner_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint email_templates_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  constraint email_templates_status_check CHECK (status = ANY (ARRAY['draft'::text, 'active'::text]))
);
create table email_verifications (
  id bigint not null generated always as identity,
  user_id uuid not null,
  verified_fingerprint text,
  created_at timestamp with time zone not null default now()
);
create table emails (
  id uuid not null,
  sender_id uuid not null,
  dealership_id uuid not null,
  template_id uuid,
  template_name text not null,
  template_version integer not null,
  from_name text not null,
  from_address text not null,
  to_addresses text[] not null,
  cc_addresses text[] not null,
  subject text not null,
  html text not null,
  body_text text not null,
  message_id text not null,
  status text not null,
  answer text not null default ''::text,
  attempts integer not null default 0,
  lease_token integer not null default 0,
  leased_until timestamp with time zone,
  next_attempt_at timestamp with time zone,
  cancellable_until timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  search_text text not null,
  held_at timestamp with time zone,
  batch_id uuid,
  deal_fields text[] not null default '{}'::text[],
  attachment_count integer not null default 0,
  hold_reason text,
  first_attempt_at timestamp with time zone,
  delivered_to text[] not null default '{}'::text[],
  fate_unknown boolean not null default false,
  constraint emails_hold_reason_check CHECK (hold_reason = ANY (ARRAY['restore'::text, 'overdue'::text])),
  constraint emails_status_check CHECK (status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'retrying'::text, 'failed'::text, 'cancelled'::text, 'unconfirmed'::text]))
);
comment on column emails.batch_id is 'No foreign key: a batch is no record, only what was sent in one step.';
comment on column emails.delivered_to is 'Recipients whom the message reached in an attempt that did not reach all of them.';
comment on column emails.fate_unknown is 'An attempt ended without an answer: the mail server may have delivered it. False again once it is sent.';
create table export_chunks (
  export_id uuid not null,
  "position" integer not null,
  content bytea not null
);
alter table export_chunks alter column content set storage external;
create table exports (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  format text not null,
  name text not null,
  filter jsonb not null,
  permissions_hash bytea not null,
  job_id uuid,
  row_count integer not null default 0,
  size bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  digest bytea,
  constraint exports_format_check CHECK (format = ANY (ARRAY['csv'::text, 'xlsx'::text]))
);
comment on column exports.job_id is 'No foreign key: a restore replaces the exports and keeps the jobs.';
create table files (
  digest bytea not null,
  size bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint files_digest_check CHECK (length(digest) = 32),
  constraint files_size_check CHECK (size > 0)
);
comment on column files.created_at is 'Time of the last upload of this content.';
create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  response jsonb,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 200)
);
create table impersonations (
  id uuid not null,
  session_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now()
);
create table installation (
  id uuid not null,
  singleton boolean not null default true,
  key_check text not null,
  setup_key_hash bytea,
  created_at timestamp with time zone not null default now(),
  mail_heartbeat_at timestamp with time zone,
  constraint installation_singleton_check CHECK (singleton)
);
create table items (
  id uuid not null,
  name text not null,
  category text not null default ''::text,
  price numeric(12,2),
  cost numeric(12,2),
  active boolean not null default true,
  "position" integer not null,
  owner_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint items_category_check CHECK (length(category) <= 60),
  constraint items_cost_check CHECK (cost >= 0::numeric),
  constraint items_name_check CHECK (length(name) >= 1 AND length(name) <= 80),
  constraint items_price_check CHECK (price >= 0::numeric)
);
create table jobs (
  id uuid not null,
  kind text not null,
  user_id uuid,
  status text not null default 'running'::text,
  step text not null default ''::text,
  percent integer,
  result jsonb,
  code text,
  message text,
  created_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  done integer,
  total integer,
  errors jsonb,
  idempotency_key text,
  request_hash bytea,
  is_awaited boolean not null default false,
  constraint jobs_percent_check CHECK (percent >= 0 AND percent <= 100),
  constraint jobs_status_check CHECK (status = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))
);
comment on column jobs.user_id is 'No foreign key: a restore replaces the people and keeps this table.';
create table mailbox_connections (
  state_hash bytea not null,
  user_id uuid not null,
  provider text not null,
  address text not null,
  verifier text not null,
  created_at timestamp with time zone not null default now(),
  constraint mailbox_connections_provider_check CHECK (provider = ANY (ARRAY['microsoft'::text, 'google'::text]))
);
create table month_adjustments (
  id bigint not null generated always as identity,
  month text not null,
  closing integer not null,
  deal_id uuid not null,
  kind text not null,
  owner_id uuid,
  dealership_id uuid,
  amount numeric(14,2) not null,
  customer_name text not null,
  deal_number text not null,
  before jsonb,
  after jsonb,
  reason text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint month_adjustments_check CHECK ((kind = 'commission'::text) = (owner_id IS NOT NULL)),
  constraint month_adjustments_check1 CHECK ((kind = 'account'::text) = (dealership_id IS NOT NULL)),
  constraint month_adjustments_kind_check CHECK (kind = ANY (ARRAY['commission'::text, 'account'::text])),
  constraint month_adjustments_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 500)
);
comment on column month_adjustments.deal_id is 'No foreign key: a statement outlives its rows.';
create table month_waivers (
  month text not null,
  "check" text not null,
  reason text not null,
  rows integer not null,
  waived_by uuid not null,
  waived_at timestamp with time zone not null default now(),
  constraint month_waivers_month_check CHECK (month ~ '^\d{4}-\d{2}$'::text),
  constraint month_waivers_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 500),
  constraint month_waivers_rows_check CHECK (rows > 0)
);
comment on column month_waivers."check" is 'A key of contract/src/month-checks.ts.';
comment on column month_waivers.rows is 'Number of rows for which the check is waived; with more rows it is open again.';
create table notifications (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  record_id uuid not null,
  count integer not null default 1,
  created_by uuid,
  occurred_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  mailed_record_id uuid,
  other_record_ids uuid[] not null default '{}'::uuid[],
  constraint notifications_count_check CHECK (count >= 1),
  constraint notifications_kind_check CHECK (kind = ANY (ARRAY['shared'::text, 'transferred'::text, 'followUp'::text, 'emailFailed'::text, 'emailUnconfirmed'::text, 'exportReady'::text, 'diskLow'::text, 'diskAlmostFull'::text, 'mailHeld'::text, 'comment'::text, 'commentMention'::text, 'backupFailed'::text, 'restoreTestFailed'::text, 'backupCopyFailed'::text, 'backupOverdue'::text, 'statement'::text, 'statementQuery'::text, 'statementAnswer'::text]))
);
comment on column notifications.mailed_record_id is 'The record that was mailed with it: while it is unread there is no other mail. No foreign key: records of several kinds.';
comment on column notifications.other_record_ids is 'Further records of a notification about several, at most 100. Empty in older ones. No foreign key: records of several kinds.';
comment on column notifications.record_id is 'No foreign key: records of several kinds.';
create table password_links (
  key_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint password_links_purpose_check CHECK (purpose = ANY (ARRAY['reset'::text, 'invitation'::text]))
);
create table passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone
);
create table permission_records (
  user_id uuid not null,
  record jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now()
);
create table rate_limit_events (
  id bigint not null generated always as identity,
  subject text not null,
  created_at timestamp with time zone not null default now()
);
create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null
);
create table recurring_jobs (
  name text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  problem text
);
create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  breaking boolean not null default false,
  breaks_before text
);
create table sessions (
  id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  user_agent text not null,
  ip text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  end_reason text
);
create table settings (
  id bigint not null generated always as identity,
  user_id uuid,
  name text not null,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  constraint settings_name_check CHECK (length(name) >= 1 AND length(name) <= 80)
);
create table shares (
  entity text not null,
  record_id uuid not null,
  user_id uuid not null,
  level text not null,
  shared_at timestamp with time zone not null default now(),
  shared_by uuid not null,
  constraint shares_entity_check CHECK (entity = ANY (ARRAY['dealership'::text, 'email-template'::text, 'item'::text, 'deal'::text])),
  constraint shares_level_check CHECK (level = ANY (ARRAY['view'::text, 'edit'::text, 'full'::text]))
);
comment on column shares.record_id is 'No foreign key: records of several kinds. Triggers delete the shares of a deleted record.';
create table sign_in_failures (
  id bigint not null generated always as identity,
  subject text not null,
  created_at timestamp with time zone not null default now()
);
create table statement_adjustments (
  statement_id uuid not null,
  adjustment_id bigint not null
);
create table statement_notes (
  id uuid not null,
  statement_id uuid not null,
  kind text not null,
  text text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint statement_notes_kind_check CHECK (kind = ANY (ARRAY['seen'::text, 'query'::text, 'answer'::text, 'sent'::text])),
  constraint statement_notes_text_check CHECK (length(text) <= 2000)
);
create table statements (
  id uuid not null,
  kind text not null,
  month text not null,
  closing integer not null,
  number integer not null,
  owner_id uuid,
  dealership_id uuid,
  lines_total numeric(14,2) not null,
  content jsonb not null,
  head jsonb not null generated always as ((content - '{lines,adjustments,waivers,companyName}'::text[])) stored,
  rows integer not null generated always as ((jsonb_array_length((content -> 'lines'::text)) + jsonb_array_length((content -> 'adjustments'::text)))) stored,
  digest text not null,
  created_at timestamp with time zone not null default now(),
  constraint statements_check CHECK ((kind = 'commission'::text) = (owner_id IS NOT NULL)),
  constraint statements_check1 CHECK ((kind = 'account'::text) = (dealership_id IS NOT NULL)),
  constraint statements_kind_check CHECK (kind = ANY (ARRAY['commission'::text, 'account'::text])),
  constraint statements_number_check CHECK (number > 0)
);
create table statuses (
  id uuid not null,
  name text not null,
  color text not null,
  "position" integer not null,
  active boolean not null default true,
  is_default boolean not null default false,
  is_closed boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  counts_for_commission boolean default false,
  constraint statuses_color_check CHECK (color ~ '^#[0-9a-f]{6}$'::text)
);
create table template_image_uses (
  template_id uuid not null,
  image_id uuid not null
);
create table template_images (
  id uuid not null,
  type text not null,
  width integer not null,
  height integer not null,
  content bytea,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  digest bytea,
  constraint template_images_check CHECK (num_nonnulls(content, digest) = 1),
  constraint template_images_content_check CHECK (length(content) >= 1 AND length(content) <= 2097152),
  constraint template_images_type_check CHECK (type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text]))
);
alter table template_images alter column content set storage external;
create table two_step (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0
);
create table users (
  id uuid not null,
  name text not null,
  email citext not null,
  role text not null,
  is_active boolean not null default true,
  force_password_change boolean not null default false,
  last_login timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  two_step_required boolean not null default false,
  mention_mail boolean not null default true,
  constraint users_email_check CHECK (length(email::text) >= 3 AND length(email::text) <= 254),
  constraint users_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  constraint users_role_check CHECK (role = ANY (ARRAY['admin'::text, 'user'::text]))
);
CREATE OR REPLACE FUNCTION forecourt.audit_digest(entry audit_entries, values_digest bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to((jsonb_build_array(
    entry.id, entry.created_at at time zone 'UTC', entry.actor_id, entry.actor_name, entry.ip, entry.request_id,
    entry.action, entry.entity, entry.record_id, entry.version, encode(values_digest, 'hex')
  ) || case when entry.change_set_id is null then '[]' else jsonb_build_array(entry.change_set_id) end)::text, 'UTF8'))
$function$
;
CREATE OR REPLACE FUNCTION forecourt.money_of(deal deals)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('saleAmount', deal.sale_amount, 'costAmount', deal.cost_amount,
    'commissionRate', deal.commission_rate, 'month', deal.month,
    'status', (select name from statuses where id = deal.status_id),
    'dealershipName', (select name from dealerships where id = deal.dealership_id),
    'ownerName', (select name from users where id = deal.owner_id))
$function$
;
alter table audit_counts add constraint audit_counts_quarter_thousand_entity_action_key UNIQUE (quarter, thousand, entity, action);
alter table audit_entries add constraint audit_entries_pkey PRIMARY KEY (id);
alter table audit_head add constraint audit_head_pkey PRIMARY KEY (singleton);
alter table audit_people add constraint audit_people_pkey PRIMARY KEY (actor_id, thousand);
alter table audit_redactions add constraint audit_redactions_pkey PRIMARY KEY (entry_id);
alter table audit_seal_entries add constraint audit_seal_entries_pkey PRIMARY KEY (entry_id);
alter table audit_seals add constraint audit_seals_pkey PRIMARY KEY (number);
alter table backup_copies add constraint backup_copies_pkey PRIMARY KEY (backup_id, destination);
alter table backup_host_keys add constraint backup_host_keys_pkey PRIMARY KEY (host, port);
alter table backup_settings add constraint backup_settings_pkey PRIMARY KEY (singleton);
alter table backups add constraint backups_name_key UNIQUE (name);
alter table backups add constraint backups_pkey PRIMARY KEY (id);
alter table business_months add constraint business_months_pkey PRIMARY KEY (month);
alter table change_sets add constraint change_sets_pkey PRIMARY KEY (id);
alter table contacts add constraint contacts_pkey PRIMARY KEY (dealership_id, "position");
alter table custom_fields add constraint custom_fields_key_key UNIQUE (key);
alter table custom_fields add constraint custom_fields_pkey PRIMARY KEY (id);
alter table data_folder add constraint data_folder_pkey PRIMARY KEY (singleton);
alter table deal_attachment_chunks add constraint deal_attachment_chunks_pkey PRIMARY KEY (attachment_id, "position");
alter table deal_attachments add constraint deal_attachments_pkey PRIMARY KEY (id);
alter table deal_comment_mentions add constraint deal_comment_mentions_pkey PRIMARY KEY (comment_id, user_id);
alter table deal_comment_reads add constraint deal_comment_reads_pkey PRIMARY KEY (user_id, deal_id);
alter table deal_comments add constraint deal_comments_pkey PRIMARY KEY (id);
alter table deal_items add constraint deal_items_pkey PRIMARY KEY (deal_id, "position");
alter table deal_merge_parts add constraint deal_merge_parts_pkey PRIMARY KEY (deal_id, kind, part_id);
alter table deal_merges add constraint deal_merges_pkey PRIMARY KEY (deal_id);
alter table deal_sums add constraint deal_sums_pkey PRIMARY KEY (month, dealership_id, status_id, owner_id);
alter table deal_views add constraint deal_views_pkey PRIMARY KEY (id);
alter table dealerships add constraint dealerships_pkey PRIMARY KEY (id);
alter table deals add constraint deals_pkey PRIMARY KEY (id);
alter table do_not_contact add constraint do_not_contact_pkey PRIMARY KEY (id);
alter table do_not_contact add constraint do_not_contact_value_key UNIQUE (value);
alter table download_tickets add constraint download_tickets_pkey PRIMARY KEY (ticket_hash);
alter table email_attachment_uses add constraint email_attachment_uses_pkey PRIMARY KEY (email_id, attachment_id);
alter table email_attachments add constraint email_attachments_pkey PRIMARY KEY (id);
alter table email_deals add constraint email_deals_pkey PRIMARY KEY (deal_id, email_id);
alter table email_images add constraint email_images_pkey PRIMARY KEY (email_id, image_id);
alter table email_settings add constraint email_settings_pkey PRIMARY KEY (user_id);
alter table email_template_versions add constraint email_template_versions_pkey PRIMARY KEY (id);
alter table email_template_versions add constraint email_template_versions_template_id_version_key UNIQUE (template_id, version);
alter table email_templates add constraint email_templates_pkey PRIMARY KEY (id);
alter table email_verifications add constraint email_verifications_pkey PRIMARY KEY (id);
alter table emails add constraint emails_message_id_key UNIQUE (message_id);
alter table emails add constraint emails_pkey PRIMARY KEY (id);
alter table export_chunks add constraint export_chunks_pkey PRIMARY KEY (export_id, "position");
alter table exports add constraint exports_pkey PRIMARY KEY (id);
alter table files add constraint files_pkey PRIMARY KEY (digest);
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (user_id, key);
alter table impersonations add constraint impersonations_pkey PRIMARY KEY (id);
alter table installation add constraint installation_pkey PRIMARY KEY (id);
alter table installation add constraint installation_singleton_key UNIQUE (singleton);
alter table items add constraint items_pkey PRIMARY KEY (id);
alter table jobs add constraint jobs_pkey PRIMARY KEY (id);
alter table mailbox_connections add constraint mailbox_connections_pkey PRIMARY KEY (state_hash);
alter table month_adjustments add constraint month_adjustments_pkey PRIMARY KEY (id);
alter table month_waivers add constraint month_waivers_pkey PRIMARY KEY (month, "check");
alter table notifications add constraint notifications_pkey PRIMARY KEY (id);
alter table notifications add constraint notifications_user_id_kind_record_id_occurred_at_key UNIQUE (user_id, kind, record_id, occurred_at);
alter table password_links add constraint password_links_pkey PRIMARY KEY (key_hash);
alter table passwords add constraint passwords_pkey PRIMARY KEY (user_id);
alter table permission_records add constraint permission_records_pkey PRIMARY KEY (user_id);
alter table rate_limit_events add constraint rate_limit_events_pkey PRIMARY KEY (id);
alter table recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash);
alter table recurring_jobs add constraint recurring_jobs_pkey PRIMARY KEY (name);
alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (version);
alter table sessions add constraint sessions_pkey PRIMARY KEY (id);
alter table sessions add constraint sessions_token_hash_key UNIQUE (token_hash);
alter table settings add constraint settings_pkey PRIMARY KEY (id);
alter table settings add constraint settings_user_id_name_key UNIQUE NULLS NOT DISTINCT (user_id, name);
alter table shares add constraint shares_pkey PRIMARY KEY (entity, record_id, user_id);
alter table sign_in_failures add constraint sign_in_failures_pkey PRIMARY KEY (id);
alter table statement_adjustments add constraint statement_adjustments_pkey PRIMARY KEY (adjustment_id, statement_id);
alter table statement_notes add constraint statement_notes_pkey PRIMARY KEY (id);
alter table statements add constraint statements_kind_month_number_key UNIQUE (kind, month, number);
alter table statements add constraint statements_pkey PRIMARY KEY (id);
alter table statuses add constraint statuses_pkey PRIMARY KEY (id);
alter table template_image_uses add constraint template_image_uses_pkey PRIMARY KEY (template_id, image_id);
alter table template_images add constraint template_images_pkey PRIMARY KEY (id);
alter table two_step add constraint two_step_pkey PRIMARY KEY (user_id);
alter table users add constraint users_email_key UNIQUE (email);
alter table users add constraint users_pkey PRIMARY KEY (id);
CREATE INDEX audit_counts_thousand ON audit_counts USING btree (thousand);
CREATE INDEX audit_entries_change_set ON audit_entries USING btree (change_set_id, id) WHERE change_set_id IS NOT NULL;
CREATE INDEX audit_entries_record ON audit_entries USING btree (record_id, id);
CREATE INDEX audit_entries_xid ON audit_entries USING btree (xid);
CREATE INDEX audit_seal_entries_seal ON audit_seal_entries USING btree (seal, entry_id);
CREATE INDEX change_sets_by_person ON change_sets USING btree (created_by, created_at, id);
CREATE INDEX change_sets_newest ON change_sets USING btree (created_at, id);
CREATE INDEX change_sets_steps ON change_sets USING btree (of_set, created_at, id) WHERE of_set IS NOT NULL;
CREATE INDEX change_sets_uncounted ON change_sets USING btree (created_at) WHERE counted_to IS NULL;
CREATE INDEX contacts_template ON contacts USING btree (template_id);
CREATE UNIQUE INDEX custom_fields_name ON custom_fields USING btree (lower(name));
CREATE INDEX deal_attachments_digest ON deal_attachments USING btree (digest);
CREATE INDEX deal_attachments_of_deal ON deal_attachments USING btree (deal_id, id);
CREATE INDEX deal_attachments_of_user ON deal_attachments USING btree (created_by);
CREATE INDEX deal_comment_mentions_of_user ON deal_comment_mentions USING btree (user_id);
CREATE INDEX deal_comment_reads_of_deal ON deal_comment_reads USING btree (deal_id);
CREATE INDEX deal_comments_of_author ON deal_comments USING btree (author_id);
CREATE INDEX deal_comments_of_deal ON deal_comments USING btree (deal_id, id);
CREATE INDEX deal_item_sums_month ON deal_item_sums USING btree (month);
CREATE INDEX deal_items_item ON deal_items USING btree (item_id);
CREATE INDEX deal_merges_survivor ON deal_merges USING btree (survivor_id);
CREATE UNIQUE INDEX deal_views_name ON deal_views USING btree (owner_id, lower(name));
CREATE INDEX deal_views_shared ON deal_views USING btree (id) WHERE is_shared;
CREATE INDEX dealerships_default_template ON dealerships USING btree (default_template_id);
CREATE INDEX dealerships_owner ON dealerships USING btree (owner_id);
CREATE INDEX deals_attention ON deals USING btree (owner_id, follow_up_at, deleted_at, commission_rate) WHERE follow_up_at IS NOT NULL OR commission_rate IS NULL OR deleted_at IS NOT NULL;
CREATE INDEX deals_customer_number ON deals USING btree (customer_number) WHERE deleted_at IS NULL;
CREATE INDEX deals_deal_number ON deals USING btree (lower(deal_number)) WHERE deleted_at IS NULL;
CREATE INDEX deals_dealership ON deals USING btree (dealership_id, month, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX deals_draft_key ON deals USING btree (created_by, draft_key) WHERE draft_key IS NOT NULL OR owner_id <> created_by;
CREATE INDEX deals_month ON deals USING btree (month, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_newest ON deals USING btree (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_owner ON deals USING btree (owner_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_search ON deals USING gin (search_text gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX email_attachment_uses_attachment ON email_attachment_uses USING btree (attachment_id);
CREATE INDEX email_attachments_digest ON email_attachments USING btree (digest);
CREATE INDEX email_attachments_unused ON email_attachments USING btree (created_at) WHERE NOT is_used;
CREATE INDEX email_attachments_unused_by_user ON email_attachments USING btree (created_by) WHERE NOT is_used;
CREATE INDEX email_deals_email ON email_deals USING btree (email_id);
CREATE INDEX email_images_image ON email_images USING btree (image_id);
CREATE UNIQUE INDEX email_templates_name ON email_templates USING btree (lower(name));
CREATE INDEX email_templates_owner ON email_templates USING btree (owner_id);
CREATE INDEX email_verifications_recent ON email_verifications USING btree (user_id, created_at);
CREATE INDEX emails_batch ON emails USING btree (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX emails_by_dealership ON emails USING btree (dealership_id, created_at DESC, id DESC);
CREATE INDEX emails_by_sender ON emails USING btree (sender_id, created_at DESC, id DESC);
CREATE INDEX emails_by_status ON emails USING btree (status, created_at DESC, id DESC);
CREATE INDEX emails_by_template ON emails USING btree (template_id, created_at DESC, id DESC);
CREATE INDEX emails_due ON emails USING btree (sender_id, next_attempt_at) WHERE status = ANY (ARRAY['queued'::text, 'retrying'::text, 'sending'::text]);
CREATE INDEX emails_newest ON emails USING btree (created_at DESC, id DESC);
CREATE INDEX emails_search ON emails USING gin (search_text gin_trgm_ops);
CREATE INDEX emails_sent_by_template ON emails USING btree (template_id, sent_at DESC) WHERE status = 'sent'::text;
CREATE INDEX exports_created_at ON exports USING btree (created_at);
CREATE INDEX exports_digest ON exports USING btree (digest);
CREATE INDEX exports_user ON exports USING btree (user_id, created_at DESC);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys USING btree (created_at);
CREATE INDEX impersonations_session ON impersonations USING btree (session_id);
CREATE UNIQUE INDEX items_name ON items USING btree (lower(name));
CREATE INDEX items_owner ON items USING btree (owner_id);
CREATE INDEX jobs_created_at ON jobs USING btree (created_at);
CREATE UNIQUE INDEX jobs_idempotency_key ON jobs USING btree (user_id, idempotency_key) WHERE status = 'running'::text;
CREATE INDEX jobs_running ON jobs USING btree (heartbeat_at) WHERE status = 'running'::text;
CREATE INDEX month_adjustments_by_time ON month_adjustments USING btree (created_at);
CREATE INDEX month_adjustments_of_month ON month_adjustments USING btree (month, closing);
CREATE INDEX notifications_newest ON notifications USING btree (user_id, occurred_at DESC, id DESC);
CREATE INDEX password_links_user ON password_links USING btree (user_id);
CREATE INDEX rate_limit_events_subject ON rate_limit_events USING btree (subject, created_at);
CREATE INDEX sessions_active ON sessions USING btree (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX shares_user ON shares USING btree (user_id, entity);
CREATE INDEX sign_in_failures_created_at ON sign_in_failures USING btree (created_at);
CREATE INDEX sign_in_failures_recent ON sign_in_failures USING btree (subject, created_at DESC);
CREATE INDEX statement_adjustments_of_statement ON statement_adjustments USING btree (statement_id);
CREATE INDEX statement_notes_of_statement ON statement_notes USING btree (statement_id);
CREATE INDEX statements_of_owner ON statements USING btree (owner_id, month);
CREATE UNIQUE INDEX statuses_default ON statuses USING btree (is_default) WHERE is_default;
CREATE UNIQUE INDEX statuses_name ON statuses USING btree (lower(name));
CREATE INDEX template_image_uses_image ON template_image_uses USING btree (image_id);
CREATE INDEX template_images_created_at ON template_images USING btree (created_at);
CREATE INDEX template_images_digest ON template_images USING btree (digest);
alter table backup_copies add constraint backup_copies_backup_id_fkey FOREIGN KEY (backup_id) REFERENCES backups(id) ON DELETE CASCADE;
alter table backups add constraint backups_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL;
alter table business_months add constraint business_months_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id);
alter table business_months add constraint business_months_reopened_by_fkey FOREIGN KEY (reopened_by) REFERENCES users(id);
alter table contacts add constraint contacts_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id) ON DELETE CASCADE;
alter table contacts add constraint contacts_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id);
alter table deal_attachment_chunks add constraint deal_attachment_chunks_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES deal_attachments(id) ON DELETE CASCADE;
alter table deal_attachments add constraint deal_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table deal_attachments add constraint deal_attachments_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE;
alter table deal_attachments add constraint deal_attachments_digest_fkey FOREIGN KEY (digest) REFERENCES files(digest);
alter table deal_comment_mentions add constraint deal_comment_mentions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES deal_comments(id) ON DELETE CASCADE;
alter table deal_comment_mentions add constraint deal_comment_mentions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table deal_comment_reads add constraint deal_comment_reads_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE;
alter table deal_comment_reads add constraint deal_comment_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table deal_comments add constraint deal_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);
alter table deal_comments add constraint deal_comments_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE;
alter table deal_items add constraint deal_items_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE;
alter table deal_items add constraint deal_items_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id);
alter table deal_merge_parts add constraint deal_merge_parts_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deal_merges(deal_id) ON DELETE CASCADE;
alter table deal_views add constraint deal_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table dealerships add constraint dealerships_default_template_id_fkey FOREIGN KEY (default_template_id) REFERENCES email_templates(id);
alter table dealerships add constraint dealerships_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table deals add constraint deals_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id);
alter table deals add constraint deals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table deals add constraint deals_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id);
alter table do_not_contact add constraint do_not_contact_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id);
alter table email_attachment_uses add constraint email_attachment_uses_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES email_attachments(id);
alter table email_attachment_uses add constraint email_attachment_uses_email_id_fkey FOREIGN KEY (email_id) REFERENCES emails(id) ON DELETE CASCADE;
alter table email_attachments add constraint email_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table email_attachments add constraint email_attachments_digest_fkey FOREIGN KEY (digest) REFERENCES files(digest);
alter table email_deals add constraint email_deals_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE;
alter table email_deals add constraint email_deals_email_id_fkey FOREIGN KEY (email_id) REFERENCES emails(id) ON DELETE CASCADE;
alter table email_images add constraint email_images_email_id_fkey FOREIGN KEY (email_id) REFERENCES emails(id) ON DELETE CASCADE;
alter table email_images add constraint email_images_image_id_fkey FOREIGN KEY (image_id) REFERENCES template_images(id);
alter table email_settings add constraint email_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table email_template_versions add constraint email_template_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table email_template_versions add constraint email_template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id) ON DELETE CASCADE;
alter table email_templates add constraint email_templates_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table email_verifications add constraint email_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table emails add constraint emails_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id);
alter table emails add constraint emails_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id);
alter table emails add constraint emails_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id) ON DELETE SET NULL;
alter table export_chunks add constraint export_chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES exports(id) ON DELETE CASCADE;
alter table exports add constraint exports_digest_fkey FOREIGN KEY (digest) REFERENCES files(digest);
alter table exports add constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table idempotency_keys add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table impersonations add constraint impersonations_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table impersonations add constraint impersonations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table items add constraint items_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table mailbox_connections add constraint mailbox_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table month_adjustments add constraint month_adjustments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table month_adjustments add constraint month_adjustments_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id);
alter table month_adjustments add constraint month_adjustments_month_fkey FOREIGN KEY (month) REFERENCES business_months(month);
alter table month_adjustments add constraint month_adjustments_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table month_waivers add constraint month_waivers_waived_by_fkey FOREIGN KEY (waived_by) REFERENCES users(id);
alter table notifications add constraint notifications_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table notifications add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table password_links add constraint password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table passwords add constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table permission_records add constraint permission_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table settings add constraint settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table shares add constraint shares_shared_by_fkey FOREIGN KEY (shared_by) REFERENCES users(id);
alter table shares add constraint shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table statement_adjustments add constraint statement_adjustments_adjustment_id_fkey FOREIGN KEY (adjustment_id) REFERENCES month_adjustments(id);
alter table statement_adjustments add constraint statement_adjustments_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES statements(id);
alter table statement_notes add constraint statement_notes_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table statement_notes add constraint statement_notes_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES statements(id);
alter table statements add constraint statements_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id);
alter table statements add constraint statements_month_fkey FOREIGN KEY (month) REFERENCES business_months(month);
alter table statements add constraint statements_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);
alter table template_image_uses add constraint template_image_uses_image_id_fkey FOREIGN KEY (image_id) REFERENCES template_images(id) ON DELETE CASCADE;
alter table template_image_uses add constraint template_image_uses_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id) ON DELETE CASCADE;
alter table template_images add constraint template_images_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table template_images add constraint template_images_digest_fkey FOREIGN KEY (digest) REFERENCES files(digest);
alter table two_step add constraint two_step_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE TRIGGER forbid_audit_change BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_truncate BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_change BEFORE DELETE OR UPDATE ON audit_redactions FOR EACH ROW EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_truncate BEFORE TRUNCATE ON audit_redactions FOR EACH STATEMENT EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER count_sealed_entries AFTER INSERT ON audit_seal_entries REFERENCING NEW TABLE AS sealed FOR EACH STATEMENT EXECUTE FUNCTION count_sealed_entries();
CREATE TRIGGER forbid_audit_change BEFORE DELETE OR UPDATE ON audit_seal_entries FOR EACH ROW EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_truncate BEFORE TRUNCATE ON audit_seal_entries FOR EACH STATEMENT EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_change BEFORE DELETE OR UPDATE ON audit_seals FOR EACH ROW EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER forbid_audit_truncate BEFORE TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION forbid_audit_change();
CREATE TRIGGER mark_added_items AFTER INSERT ON deal_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_item_sums();
CREATE TRIGGER mark_changed_items AFTER UPDATE ON deal_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_item_sums();
CREATE TRIGGER mark_removed_items AFTER DELETE ON deal_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_item_sums();
CREATE TRIGGER refuse_items_in_closed_months AFTER INSERT ON deal_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_items_in_closed_months();
CREATE TRIGGER refuse_lost_items_in_closed_months AFTER DELETE ON deal_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_items_in_closed_months();
CREATE TRIGGER delete_dealership_shares AFTER DELETE ON dealerships FOR EACH ROW EXECUTE FUNCTION delete_shares('dealership');
CREATE TRIGGER add_deal_sums AFTER INSERT ON deals REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_deal_sums();
CREATE TRIGGER adjust_closed_months AFTER UPDATE ON deals FOR EACH ROW WHEN (old.month <> new.month OR old.owner_id <> new.owner_id OR old.dealership_id <> new.dealership_id OR old.status_id <> new.status_id OR old.sale_amount IS DISTINCT FROM new.sale_amount OR old.cost_amount IS DISTINCT FROM new.cost_amount OR old.commission_rate IS DISTINCT FROM new.commission_rate OR (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) OR (old.field_versions -> 'items'::text) IS DISTINCT FROM (new.field_versions -> 'items'::text)) EXECUTE FUNCTION adjust_closed_months();
CREATE TRIGGER adjust_closed_months_of_gone AFTER DELETE ON deals FOR EACH ROW WHEN (old.deleted_at IS NULL) EXECUTE FUNCTION adjust_closed_months();
CREATE TRIGGER adjust_closed_months_of_new AFTER INSERT ON deals FOR EACH ROW EXECUTE FUNCTION adjust_closed_months();
CREATE TRIGGER clear_deal_sums AFTER TRUNCATE ON deals FOR EACH STATEMENT EXECUTE FUNCTION clear_deal_sums();
CREATE TRIGGER delete_deal_shares AFTER DELETE ON deals FOR EACH ROW EXECUTE FUNCTION delete_shares('deal');
CREATE TRIGGER move_deal_sums AFTER UPDATE OF month, dealership_id, status_id, owner_id, sale_amount, cost_amount, commission_rate, deleted_at, created_at, closed_at ON deals FOR EACH ROW EXECUTE FUNCTION move_deal_sums();
CREATE TRIGGER remove_deal_sums AFTER DELETE ON deals REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_deal_sums();
CREATE TRIGGER delete_email_template_shares AFTER DELETE ON email_templates FOR EACH ROW EXECUTE FUNCTION delete_shares('email-template');
CREATE TRIGGER delete_item_shares AFTER DELETE ON items FOR EACH ROW EXECUTE FUNCTION delete_shares('item');
CREATE TRIGGER month_adjustments_are_final BEFORE DELETE OR UPDATE ON month_adjustments FOR EACH ROW EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER month_adjustments_stay BEFORE TRUNCATE ON month_adjustments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statement_adjustments_are_final BEFORE DELETE OR UPDATE ON statement_adjustments FOR EACH ROW EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statement_adjustments_stay BEFORE TRUNCATE ON statement_adjustments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statement_notes_are_final BEFORE DELETE OR UPDATE ON statement_notes FOR EACH ROW EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statement_notes_stay BEFORE TRUNCATE ON statement_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statements_are_final BEFORE DELETE OR UPDATE ON statements FOR EACH ROW EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER statements_stay BEFORE TRUNCATE ON statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_statement();
CREATE TRIGGER adjust_months_of_status AFTER UPDATE OF counts_for_commission ON statuses FOR EACH ROW WHEN ((old.counts_for_commission IS NOT FALSE) <> (new.counts_for_commission IS NOT FALSE)) EXECUTE FUNCTION adjust_months_of_status();
