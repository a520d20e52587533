// Usage: npm run bench [-- NAME …]
// Measures the product against the best result possible on the machine, in the same run (docs/performance.md). Names:
// those of the cases below, `limits` for all of them, `quick` for the main ones in short rounds, `growth`, `custom-fields`,
// `before`, `idle`, `grid`, `first-load`, `lighthouse`, `large-month`, `month-close`, `refusals`, `backups`, `mail`, `people`, `capacity`, `instances`, `plans`. Default: `limits`,
// `growth`, `idle`, `grid` and `first-load`. With `growth`, names of cases choose among its rows. DEALS=10000000 sets the
// size of the company for `growth` and `people`. `before` compares changes of a cell, or the named cases, with an earlier
// checkout in the folder BEFORE, which is installed and built.
// Figures depend on the machine and its load: only ratios within one run are comparable.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { customFieldReads, growingReads, reads } from './cases/reads.mjs';
import { writes } from './cases/writes.mjs';
import { addCustomFields, addCustomValues, addHistory, lengthenNotes, openCompany } from './company.mjs';
import { againstGrowth, againstLimit, FULL, limitHeading, QUICK } from './compare.mjs';
import { createLeanTable } from './data.mjs';
import { count, printTable } from './figures.mjs';
import { printIdle } from './idle.mjs';

const cases = [...reads, ...writes];
// Reads first: a write adds rows to the month that they read.
const growing = [...reads, ...growingReads, ...writes].filter(({ growth }) => growth);
const LIMITS_AT = 100_000;
const [SMALL, LARGE] = [10_000, Number(process.env.DEALS ?? 1_000_000)];

const variants = {
  '50 custom fields': addCustomFields,
  'with values of five of them in each row': async (company) => {
    await addCustomFields(company);
    await addCustomValues(company);
  },
  'none, with notes that are longer by as many bytes': lengthenNotes,
};

/** Compares lists of companies with custom fields, or longer rows, with one that has neither. */
async function customFields() {
  const plain = await openCompany(SMALL);
  try {
    for (const [title, change] of Object.entries(variants)) {
      const changed = await openCompany(SMALL);
      try {
        await change(changed);
        const lines = await rowsOf(customFieldReads, (one) => againstGrowth(one, plain, changed, FULL));
        printTable(['A second', title, 'no custom fields', ...growthHeading], lines);
      } finally {
        await changed.close();
      }
    }
  } finally {
    await plain.close();
  }
}

/** Measurements that need a browser or a clock are separate programs. */
const programs = {
  grid: 'grid/run.mjs',
  'first-load': 'first-load/run.mjs',
  lighthouse: 'lighthouse/run.mjs',
  'large-month': 'large-month/run.mjs',
  'month-close': 'month-close/run.mjs',
  refusals: 'sign-in/run.mjs',
  backups: 'backups/run.mjs',
  mail: 'mail/run.mjs',
  people: 'people/run.mjs',
  capacity: 'people/capacity.mjs',
  instances: 'people/instances.mjs',
  plans: 'plans/run.mjs',
};

/** Returns the rows of these cases. A case that fails does not discard the others. */
async function rowsOf(chosen, compare) {
  const rows = [];
  for (const one of chosen) {
    const row = compare(one).catch((error) => {
      process.exitCode = 1;
      return [one.title, error.message];
    });
    rows.push(await row);
  }
  return rows;
}

async function limits() {
  const isQuick = names.includes('quick');
  const isNamed = ({ name }) =>
    names.includes(name) && !names.includes('growth') && !names.includes('before');
  const chosen = cases.filter((one) => names.includes('limits') || isNamed(one) || (isQuick && one.isMain));
  if (chosen.length === 0) return;
  const company = await openCompany(LIMITS_AT);
  try {
    await company.inDatabase(async (db) => {
      await createLeanTable(db);
      // Autovacuum would affect single rounds.
      for (const table of ['deals', 'lean.deals'])
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
    });
    const timing = isQuick ? QUICK : FULL;
    const lines = await rowsOf(chosen, (one) => againstLimit(one, company, timing));
    printTable([`${count(LIMITS_AT)} deals, a second`, ...limitHeading], lines);
  } finally {
    await company.close();
  }
}

const growthHeading = ['ratio', 'goal', 'processor of a request, ms: server + PostgreSQL', 'spread'];

async function growth() {
  const small = await openCompany(SMALL);
  let large;
  try {
    large = await openCompany(LARGE);
    for (const company of [small, large]) company.sellerToken = await addHistory(company);
    const named = growing.filter(({ name }) => names.includes(name));
    const chosen = named.length > 0 ? named : growing;
    const lines = await rowsOf(chosen, (one) => againstGrowth(one, small, large, FULL));
    printTable(
      ['Growth, a second', `${count(LARGE)} deals`, `${count(SMALL)} deals`, ...growthHeading],
      lines,
    );
  } finally {
    await large?.close();
    await small.close();
  }
}

/** More rounds than elsewhere, because a few percent count. */
const PRECISE = { ...FULL, rounds: 15 };

async function before() {
  const earlier = await import(join(resolve(process.env.BEFORE ?? ''), 'bench', 'company.mjs'));
  const old = await earlier.openCompany(LIMITS_AT);
  let here;
  try {
    here = await openCompany(LIMITS_AT);
    const isChosen = ({ name }) => names.includes(name) || (names.length === 1 && /^edit-\d+$/.test(name));
    const chosen = [...cases, ...growingReads].filter(isChosen);
    const lines = await rowsOf(chosen, (one) => againstGrowth({ ...one, growth: 1.05 }, old, here, PRECISE));
    printTable(['A second', 'here', 'before', ...growthHeading], lines);
  } finally {
    await here?.close();
    await old.close();
  }
}

async function program(name) {
  const child = spawn(process.execPath, [join(import.meta.dirname, programs[name])], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

const DEFAULT = ['limits', 'growth', 'idle', 'grid', 'first-load'];
const given = process.argv.slice(2);
const names = given.length > 0 ? given : DEFAULT;
const known = [
  ...[...cases, ...growingReads].map(({ name }) => name),
  'limits',
  'quick',
  'growth',
  'idle',
  'before',
  'custom-fields',
  ...Object.keys(programs),
];
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There is ${known.join(', ')}.`);
  process.exit(1);
}
await limits();
if (names.includes('before')) await before();
else if (['growth', ...growingReads.map(({ name }) => name)].some((name) => names.includes(name)))
  await growth();
if (names.includes('custom-fields')) await customFields();
if (names.includes('idle')) await printIdle(LIMITS_AT);
for (const name of Object.keys(programs)) if (names.includes(name)) await program(name);
