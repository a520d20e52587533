// The measured companies. Seeded, so that two runs measure the same rows.
import { sql } from 'kysely';

/** The size of a month and of a dealership is constant; the number of months grows (docs/performance.md). */
const DEALS_A_MONTH = 5000;
export const DEALERSHIPS = 20;
/** Maximum number of months; the oldest ones get the remaining rows. Ids and months begin in the 20th century. */
const MAX_MONTHS = 480;
/** Rows per statement: it sorts them, and spills to disk above this. */
const AT_ONCE = 1_000_000;
/** Audit entries per statement: as many as a seal has. */
const ENTRIES_AT_ONCE = 5000;
/** Number of rows that the audit entries of 90 days concern. */
const ROWS_IN_USE = 15_000;

const FIRST_NAMES =
  'Anna Hannah Joanne Priya Mei Oliver Noah Jack Leo Henry Charlotte Amelia Isla Mia Grace Willow Theo Hudson ' +
  'Arlo Lucas Luca William Harvey Levi Thomas Ava Ella Zara Evie Lily Kai Xavier Mason Hugo Elijah Archie Ruby Sofia';
const LAST_NAMES =
  'Smith Jones Williams Brown Wilson Taylor Nguyen Johnson Martin White Kelly Walker Harris Lee Ryan Robinson King ' +
  'Campbell Evans Singh Chen Wright Baker Edwards Murphy Clarke Scott Mitchell Cooper Hall Morris Wood Ward Patel';
const MODELS = 'Corolla Hilux Ranger Outlander CX-5 i30 Cerato Forester RAV4 Triton Camry Model-3';

/** Sixty searches, each with more matches than a list counts, and sixty with few. */
export const COMMON_TERMS = `${FIRST_NAMES} ${LAST_NAMES}`.toLowerCase().split(' ').slice(0, 60);
export const RARE_TERMS = COMMON_TERMS.slice(0, 30).flatMap((first) => [`${first} nguyen`, `${first} patel`]);

/** The columns of deals that are not computed. */
const WRITABLE = `id, status_id, dealership_id, customer_name, customer_number, customer_email, deal_number, vehicle,
  delivery_date, sale_amount, cost_amount, notes, follow_up_at, month, owner_id, created_by, version, created_at,
  updated_at, updated_by, commission_rate`;

/**
 * Fills a migrated, empty company with people, dealerships and `count` deals, `aMonth` a month, the newest in the
 * current one. Returns ids. Takes about a minute and a half for a million on the machine of docs/performance.md.
 */
export async function fillCompany(db, { count, aMonth = DEALS_A_MONTH, adminId }) {
  await sql`select setseed(0.42)`.execute(db);
  await sql`insert into dealerships (id, name, address, owner_id)
    select gen_random_uuid(), 'Dealership ' || n || case n % 2 when 0 then ' New' else ' Used' end, n || ' Pier Street', ${adminId}
    from generate_series(1, ${DEALERSHIPS}::int) as n`.execute(db);
  const older = Math.max(aMonth, Math.ceil((count - aMonth) / (MAX_MONTHS - 1)));
  await withoutIndexes(db, async () => {
    for (let from = 1; from <= count; from += AT_ONCE) {
      const to = Math.min(count, from + AT_ONCE - 1);
      await insertDeals(db, { from, to, count, aMonth, older, adminId });
    }
  });
  for (const table of ['deals', 'dealerships', 'users'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  const { rows } = await sql`
    select month, dealership_id as "dealershipId" from deals order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/**
 * Copies the deals to a table `lean.deals`: the same columns, but no triggers, foreign keys, checks and fill factor, and
 * only the indexes of the measured reads.
 */
export async function createLeanTable(db) {
  for (const statement of [
    'create schema lean',
    'create table lean.deals (like deals including defaults including generated)',
    `insert into lean.deals (${WRITABLE}) select ${WRITABLE} from deals`,
    'alter table lean.deals add primary key (id)',
    'create index on lean.deals (dealership_id, month, created_at desc, id desc)',
    'create index on lean.deals (created_at desc, id desc)',
    'create index on lean.deals using gin (search_text gin_trgm_ops)',
    'vacuum analyze lean.deals',
  ])
    await sql.raw(statement).execute(db);
}

/** Inserts rows before creating indexes, which is five times faster than the reverse. */
async function withoutIndexes(db, work) {
  const { rows } = await sql`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = 'deals' and indexname <> 'deals_pkey'`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db);
  await work();
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

/** Inserts the rows with these numbers. Months before the current one have `older` rows. */
async function insertDeals(db, { from, to, count, aMonth, older, adminId }) {
  await sql`
    with names as (
      select string_to_array(${FIRST_NAMES}, ' ') as first, string_to_array(${LAST_NAMES}, ' ') as last,
        string_to_array(${MODELS}, ' ') as models,
        array(select id from dealerships order by name) as dealerships,
        array(select id from statuses order by position) as statuses,
        array(select is_closed from statuses order by position) as closed
    ), numbered as (
      select n, md5(n::text) as hash, ${count}::int - n as back,
        floor(random() * 1000000)::int as pick, random() as share
      from generate_series(${from}::int, ${to}::int) as n
    ), by_month as (
      select *, case when back < ${aMonth}::int then 0 else 1 + (back - ${aMonth}::int) / ${older}::int end as months_ago,
        case when back < ${aMonth}::int then back::float8 / ${aMonth}::int
          else ((back - ${aMonth}::int) % ${older}::int)::float8 / ${older}::int end as place
      from numbered
    ), placed as (
      select *, date_trunc('month', now() at time zone 'Australia/Sydney') - make_interval(months => months_ago) as first_day
      from by_month
    ), dated as (
      -- Spread over the days of the month that have passed, the last row first.
      select *, (case when months_ago = 0 then now()
          else (first_day + interval '28 days') at time zone 'Australia/Sydney' end)
        - place * (case when months_ago = 0
          then now() - first_day at time zone 'Australia/Sydney' else interval '27 days' end) as made_at
      from placed
    ), timed as (
      select *, lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') as ms from dated
    )
    insert into deals (id, status_id, dealership_id, customer_name, customer_number, customer_email, deal_number, vehicle,
      delivery_date, sale_amount, cost_amount, notes, follow_up_at, month, owner_id, created_by, updated_by, commission_rate,
      created_at, updated_at, closed_at)
    select
      (left(ms, 8) || '-' || right(ms, 4) || '-7' || left(hash, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12))::uuid,
      statuses[1 + pick % cardinality(statuses)], dealerships[1 + n % cardinality(dealerships)],
      first[1 + pick % cardinality(first)] || ' ' || last[1 + (pick / 64) % cardinality(last)],
      '(04' || lpad((pick % 100)::text, 2, '0') || ') ' || lpad((pick / 100 % 1000)::text, 3, '0') || ' '
        || lpad((n % 1000)::text, 3, '0'),
      case when share < 0.6 then 'buyer' || n || '@example.com' else '' end,
      'D-' || n, '20' || 10 + pick % 17 || ' Toyota ' || models[1 + pick % cardinality(models)],
      case when share < 0.7 then made_at::date + pick % 60 end,
      case when share < 0.9 then (pick % 500000) / 100.0 end, case when share < 0.8 then (pick % 200000) / 100.0 end,
      case when share < 0.3 then 'Rang, will think about the tint and call back on a weekday after four' else '' end,
      case when share < 0.1 then made_at + interval '3 days' end,
      to_char(first_day, 'YYYY-MM'), ${adminId}::uuid, ${adminId}::uuid, ${adminId}::uuid, 5, made_at, made_at,
      case when closed[1 + pick % cardinality(closed)] then made_at + interval '2 days' end
    from timed cross join names order by n`.execute(db);
}

/**
 * Adds to a filled company what figures and logs read: five items, of which every second deal has one and every tenth a
 * second one, messages of a year, and audit entries of 90 days, by these people about the newest rows.
 */
export async function fillHistory(db, { adminId, people, messages, entries }) {
  await sql`select setseed(0.43)`.execute(db);
  await sql`insert into items (id, name, price, cost, position, owner_id)
    select gen_random_uuid(), name, 100 * position, 40 * position, position, ${adminId}
    from unnest(array['Tint', 'Paint protection', 'Mats', 'Tow bar', 'Roof racks']) with ordinality as named (name, position)`.execute(
    db,
  );
  await sql`
    with numbered as (select id, row_number() over (order by created_at) as n from deals),
    choices as (select array(select id from items order by position) as ids)
    insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
    select numbered.id, place, items.id, items.name, 1 + n % 3, items.price
    from numbered cross join choices cross join generate_series(1, 2) as place
      join items on items.id = ids[1 + (n / 2 + place) % 5]
    where n % 2 = 0 and (place = 1 or n % 10 = 0)`.execute(db);
  await sql`
    with choices as (select array(select id from dealerships order by name) as ids), made as (
      select gen_random_uuid() as id, n, now() - interval '1 year' * (n::float8 / ${messages}::int) as made_at
      from generate_series(1, ${messages}::int) as n
    ), sent as (
      insert into emails (id, sender_id, dealership_id, template_name, template_version, from_name, from_address,
        to_addresses, cc_addresses, subject, html, body_text, message_id, status, created_at, updated_at, sent_at, search_text)
      select id, ${adminId}, ids[1 + n % cardinality(ids)], 'Welcome', 1, 'Ada', 'ada@example.com',
        array['buyer' || n || '@example.com'], '{}', 'Your car ' || n, repeat('<p>Thank you for your order.</p>', 40),
        repeat('Thank you for your order. ', 20), '<' || id || '@example.com>',
        case when n % 100 = 0 then 'failed' when n % 250 = 1 then 'cancelled' else 'sent' end, made_at, made_at, made_at,
        'your car ' || n || ' buyer' || n || '@example.com ada anna ' || md5(n::text)
      from made cross join choices returning id
    )
    insert into email_deals (email_id, deal_id, deal_version)
    select made.id, deals.id, 1 from made join (select id, row_number() over (order by created_at desc) as n from deals) as deals
      on deals.n = made.n`.execute(db);
  for (let from = 1; from <= entries; from += ENTRIES_AT_ONCE)
    await insertEntries(db, { from, to: Math.min(entries, from + ENTRIES_AT_ONCE - 1), entries, people });
  for (const table of ['items', 'deal_items', 'emails', 'email_deals', 'audit_entries'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

/** Entries about deals that belong to one change set. */
const ENTRIES_OF_SET = 10;

/** SQL expressions of a change set of the audit entry number `n`, and of its person. */
const setOf = sql`md5('set' || n / ${sql.lit(ENTRIES_OF_SET)})::uuid`;
const personOf = (people) =>
  sql`(${people}::uuid[])[1 + n / ${sql.lit(ENTRIES_OF_SET)} * 7 % ${sql.lit(people.length)}]`;

/** Inserts the audit entries with these numbers, and their change sets. One of 5,000 concerns a template. */
async function insertEntries(db, { from, to, entries, people }) {
  await sql`
    insert into change_sets (id, kind, created_by, created_by_name, created_at)
    select distinct on (1) ${setOf}, 'paste', ${personOf(people)}, 'Ada Admin',
      now() - interval '90 days' * (1 - n::float8 / ${entries}::int)
    from generate_series(${from}::int, ${to}::int) as n where n % 20 > 1 order by 1, n
    on conflict do nothing`.execute(db);
  await sql`
    with numbered as (
      select n, case when n % 5000 = 7 then 'email-template' when n % 20 = 0 then 'session' when n % 20 = 1 then 'email'
        else 'deal' end as entity
      from generate_series(${from}::int, ${to}::int) as n
    ), rows as (
      select array(select id from deals where deleted_at is null order by created_at desc, id desc limit ${ROWS_IN_USE}) as ids
    )
    insert into audit_entries (created_at, actor_id, actor_name, ip, request_id, action, entity, record_id, version, change_set_id, before, after)
    select now() - interval '90 days' * (1 - n::float8 / ${entries}::int), ${personOf(people)},
      'Ada Admin', '10.0.0.' || n % 250, 'req-' || n,
      entity || case when entity = 'session' then '.started' when n % 10 = 2 then '.created' else '.updated' end, entity,
      case entity when 'session' then null when 'deal' then ids[1 + n * 31 % cardinality(ids)] else gen_random_uuid() end, n % 7,
      case entity when 'deal' then ${setOf} end,
      case when entity <> 'session' and n % 10 <> 2 then jsonb_build_object('notes', 'Rang at ' || n % 24) end,
      case when n % 10 = 2 then jsonb_build_object('customerName', md5(n::text), 'customerNumber', '(0400) 123 ' || n % 1000,
          'customerEmail', 'buyer' || n || '@example.com', 'vehicle', '2019 Toyota Hilux', 'month', '2026-03', 'saleAmount', n % 50000)
        when entity <> 'session' then jsonb_build_object('notes', 'Rang, will call back on ' || md5(n::text)) end
    from numbered cross join rows`.execute(db);
}
