// Usage: [MINUTES=1] [PEOPLE=500] [DEALS=100000] node bench/people/instances.mjs
// Runs two instances of the product on one PostgreSQL (the distribution's) and one DATA_DIR, as in docs/operating.md.
// First the same users as in run.mjs, alternating between the instances: changes must be seen on the other instance as
// soon as on the same, and a scheduled backup must be created once. Then 16 clients with sequential requests: half of
// them on each instance, against all on one, alternately.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../server/src/platform/db/database.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { callServer, signInAsAdmin, startServer } from '../../server/test/process.ts';
import { startDistributionPostgres } from '../backups/distribution-postgres.mjs';
import { reads } from '../cases/reads.mjs';
import { writes } from '../cases/writes.mjs';
import { fillCompany } from '../data.mjs';
import { count, median, printTable, spread } from '../figures.mjs';
import { drive } from '../load.mjs';
import { processorOf, processorOfDatabase, probeEnvironment } from './machine.mjs';
import { deals, measure, people } from './measure.mjs';
import { heading, reportRows } from './report.mjs';
import { addStaff } from './staff.mjs';

const CLIENTS = 16;
const ROUNDS = 5;
const ROUND_MS = 2000;
const WARM_UP_MS = 4000;
const GOAL = 0.9;

const folder = await mkdtemp(join(tmpdir(), 'bench-instances-'));
const postgres = await startDistributionPostgres(folder);
const opened = openDatabase({ connectionString: postgres.url }, createLog('silent'), 1);
const inDatabase = (work) => work(opened.db);
const servers = [];

async function startInstance(number) {
  const file = join(folder, `inside-${number}`);
  const server = await startServer(join(folder, 'data'), {
    DATABASE_URL: postgres.url,
    ...probeEnvironment(file),
  });
  servers.push({ ...server, file, pid: server.child.pid, port: Number(new URL(server.url).port) });
}

/** Simulates hours without a backup: each instance detects that within half a minute. */
async function missHours({ url, token }) {
  await callServer(url, 'POST /backups/scheduler/start', token);
  await sql`update backup_settings set last_hour = now() - interval '2 hours'`.execute(opened.db);
}

/** Returns the number of scheduled backups. */
async function automaticBackups({ url, token }) {
  const { body } = await callServer(url, 'GET /backups', token);
  return body.items.filter(({ type }) => type === 'automatic').length;
}

/** Returns the processor seconds of all instances and the database so far. */
const processor = () =>
  servers.reduce((sum, { pid }) => sum + processorOf(pid), processorOfDatabase(join(folder, 'cluster')));

const caseOf = (name) => [...reads, ...writes].find((one) => one.name === name);

/** The mix of the users above in twenty requests: sixteen lists, three changes and a search. */
const mix = {
  title: 'all of it: 80 of 100 lists, 15 changes, 5 searches, 16 clients',
  async prepare(company) {
    const [list, edit, search] = await Promise.all(
      ['list', 'edit-16', 'search'].map((name) => caseOf(name).prepare(company)),
    );
    let turn = 0;
    const next = () => {
      turn += 1;
      if (turn % 20 === 0) return search;
      return (turn % 20) % 6 === 5 ? edit : list;
    };
    return { product: () => next().product() };
  },
};

/** Runs a case of `limits` on one instance and on both, alternately. */
async function compared({ title, prepare }, company) {
  const { product } = await prepare(company);
  const [first, second] = servers;
  const asking = (port, clients, ms) => drive({ port, clients, ms, next: product });
  const sides = {
    one: (ms) => asking(first.port, CLIENTS, ms),
    two: async (ms) => {
      const rates = await Promise.all([first, second].map(({ port }) => asking(port, CLIENTS / 2, ms)));
      return rates[0] + rates[1];
    },
  };
  const rates = { one: [], two: [] };
  const costs = { one: [], two: [] };
  const measured = async (name, ms) => {
    const [begun, from] = [performance.now(), processor()];
    const rate = await sides[name](ms);
    // Processor milliseconds per response.
    costs[name].push((1e6 * (processor() - from)) / (rate * (performance.now() - begun)));
    rates[name].push(rate);
  };
  for (const run of Object.values(sides)) await run(WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of Object.keys(sides)) await measured(name, ROUND_MS);
  const ratio = median(rates.two) / median(rates.one);
  return [
    title,
    count(median(rates.two)),
    count(median(rates.one)),
    ratio.toFixed(2),
    `>= ${GOAL} ${ratio >= GOAL ? '✓' : '✗'}`,
    `${spread(rates.two).toFixed(0)} / ${spread(rates.one).toFixed(0)} %`,
    `${median(costs.two).toFixed(2)} / ${median(costs.one).toFixed(2)}`,
  ];
}

try {
  await startInstance(1);
  const { id: adminId } = await opened.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const filled = await fillCompany(opened.db, { count: deals, adminId });
  const staff = await addStaff(opened.db, { count: people, month: filled.month });
  await startInstance(2);
  const [{ url, port }] = servers;
  const office = { url, token: await signInAsAdmin(url) };
  await missHours(office);
  const instanceOf = (place) => place % servers.length;
  const measured = await measure({
    staff,
    portOf: ({ place }) => servers[instanceOf(place)].port,
    wayOf: (from, to) =>
      instanceOf(from) === instanceOf(to) ? ' at the same instance' : ' at the other instance',
    month: filled.month,
    office,
    machine: { servers, databaseFolder: join(folder, 'cluster') },
    inDatabase,
  });
  const made = await automaticBackups(office);
  printTable(heading('two instances'), [
    ...reportRows(measured),
    ['backups created for one scheduled backup', count(made), `1 ${made === 1 ? '✓' : '✗'}`],
  ]);
  for (const failure of measured.simulation.failures) console.log(failure);

  const company = {
    ...filled,
    ...office,
    port,
    adminId,
    connection: { connectionString: postgres.url },
    inDatabase,
  };
  const lines = [];
  for (const one of [mix, caseOf('list'), caseOf('edit-16')]) lines.push(await compared(one, company));
  printTable(
    ['A second', 'two instances', 'one', 'ratio', 'goal', 'spread', 'processor for each, ms'],
    lines,
  );
} finally {
  await Promise.all(servers.map(({ stop }) => stop()));
  await opened.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
