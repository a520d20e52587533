// Usage: node bench/sign-in/run.mjs [rounds]
// Measures, against the real server with its embedded database, the time of a refused sign-in of a known user with a
// wrong password, of an unknown one, and of an inactive one with the correct password. A difference would reveal who
// has an account. The three alternate in random order, so that other load affects all of them; only ratios within one
// run are comparable.
// The rate limit stays on and does not affect the times: each attempt has its own account (or unknown address), so no
// account fails twice, and its own IP address, by X-Forwarded-For from a proxy that this run trusts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inDatabaseOf, insertPerson, PASSWORD } from '../../server/test/people.ts';
import { startServer } from '../../server/test/process.ts';

const rounds = Number(process.argv[2] ?? 400);
const WARM_UP = 40;
/** Maximum deviation of a median from that of the wrong password. */
const LIMIT = 0.05;

const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Returns a random order, so that none of the three always follows the same one. */
const shuffled = (list) =>
  list
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

const dataDir = await mkdtemp(join(tmpdir(), 'bench-sign-in-'));
const server = await startServer(dataDir, { TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' });
let tries = 0;

/** Returns the milliseconds of a refused sign-in. */
async function refusal({ email, password }) {
  tries += 1;
  const from = `10.${tries >> 16}.${(tries >> 8) & 255}.${tries & 255}`;
  const started = performance.now();
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password }),
  });
  const body = await response.json();
  const passed = performance.now() - started;
  if (body.code !== 'SIGN_IN_FAILED') throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return passed;
}

try {
  const count = rounds + WARM_UP;
  const { known, inactive } = await inDatabaseOf(dataDir, async (db) => {
    const add = async () => {
      const people = [];
      for (let turn = 0; turn < count; turn += 1) people.push(await insertPerson(db));
      return people;
    };
    const [known, inactive] = [await add(), await add()];
    const ids = inactive.map(({ id }) => id);
    await db.updateTable('users').set({ is_active: false }).where('id', 'in', ids).execute();
    // The first reader of new rows sets their hint bits, which must not be part of a sign-in.
    await db.selectFrom('users').selectAll().execute();
    await db.selectFrom('passwords').selectAll().execute();
    return { known, inactive };
  });
  const cases = {
    'wrong password': (turn) => ({ email: known[turn].email, password: `not ${PASSWORD}` }),
    'unknown person': (turn) => ({ email: known[turn].email.replace('@', '.x@'), password: PASSWORD }),
    'inactive person': (turn) => ({ email: inactive[turn].email, password: PASSWORD }),
  };
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let turn = 0; turn < count; turn += 1) {
    for (const name of shuffled(Object.keys(cases))) {
      const passed = await refusal(cases[name](turn));
      if (turn >= WARM_UP) times[name].push(passed);
    }
  }
  const base = median(times['wrong password']);
  console.log(`| Refused sign-in, ${rounds} each | median, ms | ratio | goal |\n|---|---|---|---|`);
  for (const [name, passed] of Object.entries(times)) {
    const ratio = median(passed) / base;
    if (Math.abs(ratio - 1) > LIMIT) process.exitCode = 1;
    const goal = `${1 - LIMIT} to ${1 + LIMIT}`;
    console.log(`| ${name} | ${median(passed).toFixed(2)} | ${ratio.toFixed(3)} | ${goal} |`);
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
