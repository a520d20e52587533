// Usage: npm run bench -- plans
// Sends each read of `growth` to a company of 1,000,000 deals, and writes the plans of the five statements that took
// longest to server/sql/plans, for reviews. They depend on the rows and the machine, so no test compares them.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { startInProcess } from '../../server/test/app.ts';
import { formatSql } from '../../server/test/sql-text.ts';
import { growingReads, reads } from '../cases/reads.mjs';
import { addHistory, openCompany } from '../company.mjs';
import { count } from '../figures.mjs';
import { requestOnce } from '../load.mjs';

const DEALS = Number(process.env.DEALS ?? 1_000_000);
const PLANS = 5;
const WIDTH = 200;
/** The first request of a connection also plans its statements, and reads pages from disk. */
const TIMES = 3;
const TEXTS = join(import.meta.dirname, '../../server/sql');
const FOLDER = join(TEXTS, 'plans');

/**
 * Records the reads that the server sends for each request of `work`, unlike those of jobs: the shortest time of each
 * text, its values and its caller.
 */
async function recordReads(work) {
  const found = new Map();
  // eslint-disable-next-line typescript/unbound-method -- called with the client
  const { query } = pg.Client.prototype;
  Error.stackTraceLimit = 50;
  async function timed(...args) {
    const { text = String(args[0]), values = [] } = args[0];
    const [, caller] = /server\/(src\/features\/\S+?):/.exec(new Error('caller').stack) ?? [];
    const begun = performance.now();
    try {
      return await Promise.resolve(query.apply(this, args));
    } finally {
      const { ms, times } = found.get(text) ?? { ms: Infinity, times: 0 };
      if (caller && /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete)\b/i.test(text))
        found.set(text, {
          text,
          values,
          caller,
          ms: Math.min(ms, performance.now() - begun),
          times: times + 1,
        });
    }
  }
  // A copy of a table returns a stream.
  pg.Client.prototype.query = function record(...args) {
    return (args[0].submit ? query : timed).apply(this, args);
  };
  // A busy machine refuses what takes long.
  await work().catch((error) => console.error(error.message));
  pg.Client.prototype.query = query;
  return [...found.values()].filter(({ times }) => times >= TIMES);
}

/** Returns the slowest reads of all cases, each with the name of its case. */
async function slowestReads(company) {
  const found = new Map();
  const cases = [...reads, ...growingReads].filter(({ growth }) => growth);
  // It changes rows of all months first, whose stored sums are outdated until the next minute.
  const isLast = ({ name }) => Number(name === 'revert-preview');
  for (const one of cases.toSorted((a, b) => isLast(a) - isLast(b))) {
    const recorded = await recordReads(async () => {
      const { product } = await one.prepare(company);
      for (let time = 0; time < TIMES; time += 1) await requestOnce(company.port, product());
    });
    for (const read of recorded)
      if (!found.has(read.text)) found.set(read.text, { ...read, name: one.name, title: one.title });
  }
  return [...found.values()].toSorted((one, other) => other.ms - one.ms).slice(0, PLANS);
}

/** Returns the file of a text in server/sql, or where the server sends it. */
async function sourceOf({ text, caller }) {
  const formatted = formatSql(text);
  for (const file of await readdir(TEXTS))
    if (file.endsWith('.sql') && (await readFile(join(TEXTS, file), 'utf8')) === formatted)
      return `server/sql/${file}`;
  return `server/${caller}`;
}

async function writePlans(company) {
  const slowest = await slowestReads(company);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  await company.inDatabase(async (db) => {
    const { rows } = await sql`show server_version`.execute(db);
    const release = rows[0].server_version.split(' ')[0];
    for (const [place, read] of slowest.entries()) {
      const explain = `explain (analyze, buffers, costs off, timing off, summary off) ${read.text}`;
      const plan = await db.executeQuery(CompiledQuery.raw(explain, read.values));
      const lines = [
        `-- ${await sourceOf(read)}: ${read.title.replace(/, 1?\d clients?$/, '')}.`,
        `-- ${count(DEALS)} deals, ${count(DEALS / 5)} messages, ${count(DEALS)} audit entries; PostgreSQL ${release}.`,
        // A list of values may be long.
        ...plan.rows.map((row) => row['QUERY PLAN'].slice(0, WIDTH)),
      ];
      await writeFile(join(FOLDER, `${place + 1}-${read.name}.txt`), `${lines.join('\n')}\n`);
      console.log(`${read.ms.toFixed(0)} ms: ${lines[0].slice(3)}`);
    }
  });
}

const company = await openCompany(DEALS);
try {
  company.sellerToken = await addHistory(company);
  await company.stop();
  const running = await startInProcess(company.dataDir, { LOG_LEVEL: 'warn' });
  try {
    await writePlans({ ...company, url: running.url, port: Number(new URL(running.url).port) });
  } finally {
    await running.stop();
  }
} finally {
  await company.close();
}
