// Starts the real product with a company in its embedded database.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { tokenHash } from '../server/src/platform/ids.ts';
import { inDatabaseOf, insertPerson, insertSession, PASSWORD } from '../server/test/people.ts';
import { signInAsAdmin, startServer } from '../server/test/process.ts';
import { DEALERSHIPS, fillCompany, fillHistory } from './data.mjs';

/**
 * Starts the product with the log that operators keep, in an environment that may depend on its folder, and fills it
 * with `count` deals, `aMonth` per month. Returns connections to the product and its database, and ids; `stop` ends it, `close` also deletes its data.
 */
export async function openCompany(count, aMonth, environment = () => ({})) {
  const dataDir = await mkdtemp(join(tmpdir(), `bench-${count}-`));
  const server = await startServer(dataDir, { LOG_LEVEL: 'info', ...environment(dataDir) });
  const close = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const filled = await inDatabaseOf(dataDir, async (db) => {
      const { id: adminId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
      const people = [];
      for (let person = 0; person < 4; person += 1) people.push(await insertPerson(db));
      return { adminId, people, ...(await fillCompany(db, { count, aMonth, adminId })) };
    });
    const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    return {
      ...filled,
      count,
      password: PASSWORD,
      dataDir,
      pid: server.child.pid,
      url: server.url,
      port: Number(new URL(server.url).port),
      token: await signInAsAdmin(server.url),
      connection: { host: pidFile.split('\n')[4], port: 5432, user: 'forecourt', database: 'forecourt' },
      inDatabase: (work) => inDatabaseOf(dataDir, work),
      stop: () => server.stop(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Number of people who wrote the audit entries. */
const AUTHORS = 40;

/**
 * Gives one of forty rows, all of one dealership, to somebody who sees only their own rows. Returns the token of their
 * session.
 */
async function addSeller(db) {
  const columnVisibility = { restrictedToOwn: true };
  const { id } = await insertPerson(db, { name: 'Sal', permissions: { dataEntry: { columnVisibility } } });
  await sql`update deals set owner_id = ${id}, created_by = ${id}
    where dealership_id = (select id from dealerships order by name limit 1)
      and substr(deal_number, 3)::int / ${DEALERSHIPS}::int % 2 = 0`.execute(db);
  await sql`vacuum analyze deals`.execute(db);
  return insertSession(db, id);
}

/**
 * Adds items, messages and audit entries, as many for each deal in a small company as in a large one, and waits until
 * the entries are sealed. The administrator was here a day ago. Returns what `addSeller` returns.
 */
export const addHistory = ({ inDatabase, adminId, count }) =>
  inDatabase(async (db) => {
    const seller = await addSeller(db);
    const people = [adminId];
    while (people.length < AUTHORS) people.push((await insertPerson(db)).id);
    await fillHistory(db, { adminId, people, messages: count / 5, entries: count });
    const token = await insertSession(db, adminId);
    await sql`update sessions set created_at = now() - interval '1 day', last_used_at = now() - interval '1 day'
      where token_hash = ${tokenHash(token)}`.execute(db);
    for (let left = 1; left > 0;) {
      const { rows } = await sql`select count(*)::int as left from audit_entries as entry
        where not exists (select from audit_seal_entries where entry_id = entry.id)`.execute(db);
      ({ left } = rows[0]);
      if (left > 0) await pause(1000);
    }
    return seller;
  });

/** Adds 50 custom fields, without values. */
export async function addCustomFields({ url, token }) {
  const types = ['text', 'number', 'currency', 'date', 'checkbox'];
  for (let field = 0; field < 50; field += 1) {
    const response = await fetch(`${url}/api/custom-fields`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Field ${field + 1}`, type: types[field % types.length] }),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
}

const VALUES = {
  custom1: 'Blue metallic',
  custom2: 12.5,
  custom3: 990,
  custom4: '2026-11-20',
  custom5: true,
};

/** Adds values of five custom fields to each row. */
export const addCustomValues = ({ inDatabase }) =>
  inDatabase(async (db) => {
    await sql`update deals set custom = ${JSON.stringify(VALUES)}`.execute(db);
    await sql`vacuum full analyze deals`.execute(db);
  });

/** Makes the notes of each row as much longer, in bytes of a response, as the values of `addCustomValues` do. */
export const lengthenNotes = ({ inDatabase }) =>
  inDatabase(async (db) => {
    const more = JSON.stringify(VALUES).slice(2).replaceAll('"', ' ');
    await sql`update deals set notes = notes || ${more}`.execute(db);
    await sql`vacuum full analyze deals`.execute(db);
  });
