// Usage: [MINUTES=1] [DEALS=100000] [FIRST=100] [MOST=1600] node bench/people/capacity.mjs
// Finds what one instance carries: doubles the people of run.mjs until reading exceeds its goal (p95), and prints for
// each step the times, the processor that server and PostgreSQL use, people for each core, and connections. The people
// at the goal are interpolated between the last two steps.
import { join } from 'node:path';
import { sql } from 'kysely';
import { openCompany } from '../company.mjs';
import { count, printTable } from '../figures.mjs';
import { probeEnvironment } from './machine.mjs';
import { deals, measure, minutes } from './measure.mjs';
import { GOALS } from './report.mjs';
import { addStaff } from './staff.mjs';

const [FIRST, MOST] = [Number(process.env.FIRST ?? 100), Number(process.env.MOST ?? 1600)];
const [GOAL_MS] = GOALS.read;
const SAMPLE_MS = 500;

const company = await openCompany(deals, undefined, (dataDir) => probeEnvironment(join(dataDir, 'inside')));
const { month, port, url, token, dataDir, pid, inDatabase } = company;

/** Returns the number of sessions of the product, without this program's own one. */
const connections = async (db) => {
  const { rows } = await sql`select count(*)::int as found from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  return rows[0].found;
};

/** Returns the highest number of sessions while `work` runs, with its result. */
const withConnections = (work) =>
  inDatabase(async (db) => {
    let most = 0;
    const sample = async () => (most = Math.max(most, await connections(db)));
    const timer = setInterval(() => void sample().catch(() => {}), SAMPLE_MS);
    try {
      const measured = await work();
      return { ...measured, connections: most };
    } finally {
      clearInterval(timer);
    }
  });

/** Measures one step. Processor is in cores. */
async function step(people) {
  const staff = await inDatabase((db) => addStaff(db, { count: people, month }));
  const measured = await withConnections(() =>
    measure({
      staff,
      portOf: () => port,
      wayOf: () => '',
      month,
      office: { url, token },
      machine: {
        servers: [{ pid, file: join(dataDir, 'inside') }],
        databaseFolder: join(dataDir, 'postgres'),
      },
      inDatabase,
    }),
  );
  const { read, write } = measured.simulation.figures;
  const refused = [...measured.simulation.refused.values()].reduce((sum, times) => sum + times, 0);
  return {
    people,
    read,
    write,
    faults: refused + measured.lost + measured.latency.missing(),
    server: measured.servers[0].processor / 100,
    database: measured.database / 100,
    connections: measured.connections,
  };
}

const times = (figures) => [0.5, 0.95, 0.99].map((share) => count(figures.quantile(share))).join(' / ');

try {
  const steps = [];
  for (let people = FIRST; people <= MOST; people *= 2) {
    steps.push(await step(people));
    if (steps.at(-1).read.quantile(0.95) > GOAL_MS) break;
  }
  const rows = await inDatabase((db) =>
    db
      .selectFrom('deals')
      .select(sql`count(*)::int`.as('found'))
      .executeTakeFirstOrThrow(),
  );
  printTable(
    [
      `one instance, ${count(rows.found)} deals, ${minutes} min a step: people`,
      'reading: p50 / p95 / p99, ms',
      'writing, ms',
      'refused, lost, not received',
      'cores: server + PostgreSQL',
      'people for each core',
      'connections',
    ],
    steps.map(({ people, read, write, faults, server, database, connections }) => [
      count(people),
      times(read),
      times(write),
      count(faults),
      `${server.toFixed(2)} + ${database.toFixed(2)}`,
      count(people / (server + database)),
      count(connections),
    ]),
  );
  const [before, last] = [steps.at(-2), steps.at(-1)];
  const [from, to] = [before, last].map((one) => one?.read.quantile(0.95));
  if (to <= GOAL_MS)
    console.log(
      `\nReading stays below ${GOAL_MS} ms (p95) up to ${count(last.people)} people; measure more with MOST=${MOST * 2}.`,
    );
  else if (before === undefined)
    console.log(
      `\nReading exceeds ${GOAL_MS} ms (p95) with ${count(last.people)} people; FIRST=${FIRST / 2} begins earlier.`,
    );
  else {
    const people = before.people + ((GOAL_MS - from) / (to - from)) * (last.people - before.people);
    console.log(`\nReading reaches ${GOAL_MS} ms (p95) at about ${count(people)} people.`);
  }
} finally {
  await company.close();
}
