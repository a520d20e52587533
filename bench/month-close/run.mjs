// Usage: node bench/month-close/run.mjs
// Closes a month of 20,000 deals of 50 people at 40 dealerships. Then compares changes of a sale in an open month with the
// same without the trigger that guards closed months, in turn on the same server.
import { sql } from 'kysely';
import { fixedStatuses } from '../../contract/src/fixed-statuses.ts';
import { monthChecks } from '../../contract/src/month-checks.ts';
import { insertPerson } from '../../server/test/people.ts';
import { openCompany } from '../company.mjs';
import { count, median, printTable, spread } from '../figures.mjs';

const [DEALS, PEOPLE, DEALERSHIPS] = [20_000, 50, 40];
const CLOSE_LIMIT_MS = 5000;
const EDIT_LIMIT = 1.05;
const ROUNDS = 40;
const EDITS = 100;

const company = await openCompany(DEALS * 2, DEALS);
const { url, token, adminId } = company;
const months = await company.inDatabase(async (db) => {
  const people = [adminId];
  while (people.length < PEOPLE) people.push((await insertPerson(db)).id);
  const { rows: dealerships } = await sql`
    insert into dealerships (id, name, address, owner_id)
    select gen_random_uuid(), 'Dealership ' || n, '1 Pier Street', ${adminId}
    from generate_series(1, ${DEALERSHIPS}::int) as n returning id`.execute(db);
  await sql`update deals set status_id = ${fixedStatuses.deal}, sale_amount = 1000 + n % 97, commission_rate = 2.5,
      owner_id = (${people}::uuid[])[1 + n % ${PEOPLE}::int],
      dealership_id = (${dealerships.map(({ id }) => id)}::uuid[])[1 + n % ${DEALERSHIPS}::int]
    from (select id, row_number() over ()::int as n from deals) as numbered where numbered.id = deals.id`.execute(
    db,
  );
  const { rows } = await sql`select distinct month from deals order by month`.execute(db);
  await sql`insert into month_waivers (month, "check", reason, rows, waived_by)
    select ${rows[0].month}, "check", 'Agreed', 1000000, ${adminId} from unnest(${monthChecks}::text[]) as "check"`.execute(
    db,
  );
  await sql`vacuum analyze deals`.execute(db);
  return rows.map(({ month }) => month);
});

async function send(method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
}

try {
  const began = performance.now();
  await send('POST', `/api/months/${months[0]}/close`);
  const closeMs = performance.now() - began;

  const rows = await company.inDatabase((db) =>
    db.selectFrom('deals').select(['id', 'version']).where('month', '=', months[1]).limit(EDITS).execute(),
  );
  const guard = (to) =>
    company.inDatabase((db) => sql.raw(`alter table deals ${to} trigger adjust_closed_months`).execute(db));
  const times = { with: [], without: [] };
  let amount = 5000;
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    // In alternating order, because a server gets slower with dead rows.
    const which = [0, 3].includes(round % 4) ? 'with' : 'without';
    await guard(which === 'with' ? 'enable' : 'disable');
    amount += 1;
    const from = performance.now();
    for (const row of rows) {
      await send('PATCH', `/api/deals/${row.id}`, { saleAmount: amount, version: row.version });
      row.version += 1;
    }
    times[which].push((performance.now() - from) / EDITS);
  }
  const ratio = median(times.with) / median(times.without);
  printTable(
    ['', 'measured', 'goal', 'spread'],
    [
      [
        `close of ${count(DEALS)} deals, ${PEOPLE} people and ${DEALERSHIPS} dealerships, ms`,
        count(closeMs),
        count(CLOSE_LIMIT_MS),
        '',
      ],
      [
        `change of a sale in an open month, ms (${median(times.with).toFixed(2)}) to the same without the guard (${median(times.without).toFixed(2)})`,
        ratio.toFixed(3),
        EDIT_LIMIT,
        `${spread(times.with).toFixed(0)}%`,
      ],
    ],
  );
} finally {
  await company.close();
}
