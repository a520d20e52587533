// Usage: node bench/backups/run.mjs [deals] [rounds]
// Compares a backup with pg_dump piped to gzip of the same level, and a restore with psql of the same data. Also
// measures the server's memory, and the effect of a backup and of unpacking an upload on the list of deals. Both sides
// use one PostgreSQL: that of DATABASE_URL (an empty database), else the distribution's own, started for the run. They
// alternate; only ratios within one run are comparable.
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../../server/src/platform/db/database.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { callServer, signInAsAdmin, startServer } from '../../server/test/process.ts';
import { fillCompany } from '../data.mjs';
import { count, median, printTable, spread } from '../figures.mjs';
import { startDistributionPostgres } from './distribution-postgres.mjs';

const deals = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
const MiB = 2 ** 20;

const run = promisify(execFile);
const shell = (command) => run('bash', ['-o', 'pipefail', '-c', command], { maxBuffer: MiB });
const folder = await mkdtemp(join(tmpdir(), 'bench-backups-'));
const postgres = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, stop: async () => {} }
  : await startDistributionPostgres(folder);
const server = await startServer(join(folder, 'data'), { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });

async function seconds(work) {
  const from = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - from) / 1000 };
}

/** Returns the server's peak memory since the last call, in MiB. */
async function peak() {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Polls a job until it ends. Returns its row and the duration of each step. */
async function follow(token, jobId) {
  const steps = {};
  let last = performance.now();
  for (;;) {
    const { body: job } = await callServer(server.url, `GET /jobs/${jobId}`, token);
    const now = performance.now();
    steps[job.step] = (steps[job.step] ?? 0) + (now - last) / 1000;
    last = now;
    if (job.status === 'failed') throw new Error(job.message);
    if (job.status === 'succeeded') return { job, steps };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function backUp(token) {
  const { body } = await callServer(server.url, 'POST /backups', token);
  await follow(token, body.jobId);
  return body.name;
}

/** Uploads a file and waits until it is unpacked and verified. */
async function upload(token, path) {
  const body = new FormData();
  body.append('backup', await openAsBlob(path), 'backup.sql.bz2');
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${server.url}/api/backups/upload`, { method: 'POST', headers, body });
  const { jobId, ...response } = await reply.json();
  if (!reply.ok) throw new Error(JSON.stringify(response));
  if (jobId) await follow(token, jobId);
}

/** Returns the milliseconds of consecutive list requests until `until` settles. */
async function listTimes(token, until) {
  const times = [];
  const over = new AbortController();
  void until.finally(() => over.abort());
  while (!over.signal.aborted) {
    const from = performance.now();
    await callServer(server.url, 'GET /deals?limit=100', token);
    times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
}

try {
  const opened = openDatabase({ connectionString: postgres.url }, createLog('silent'), 1);
  const { db } = opened;
  const { id: adminId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await fillCompany(db, { count: deals, adminId });
  await opened.close();
  const token = await signInAsAdmin(server.url);

  const figures = {
    ours: [],
    theirs: [],
    restore: [],
    loading: [],
    psql: [],
    idle: [],
    busy: [],
    unpacking: [],
  };
  const peakBefore = await peak();
  let name = '';
  let dumpBytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const ours = await seconds(() => backUp(token));
    name = ours.result;
    figures.ours.push(ours.seconds);
    const dump = join(folder, 'dump.sql.gz');
    const theirs = await seconds(() =>
      shell(`pg_dump --schema=forecourt '${postgres.url}' | gzip -1 > '${dump}'`),
    );
    figures.theirs.push(theirs.seconds);
    dumpBytes = (await stat(dump)).size;
  }
  const peakAfterBackups = await peak();
  const packed = join(folder, 'backup.sql.bz2');
  await shell(`gunzip -c '${join(folder, 'data', 'backups', name)}' | bzip2 -c > '${packed}'`);
  for (let round = 0; round < rounds; round += 1) {
    figures.idle.push(await listTimes(token, new Promise((resolve) => setTimeout(resolve, 3000))));
    figures.busy.push(await listTimes(token, backUp(token)));
    figures.unpacking.push(await listTimes(token, upload(token, packed)));
  }
  const file = join(folder, 'data', 'backups', name);
  for (let round = 0; round < rounds; round += 1) {
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('drop database if exists bench_psql');
    await admin.query('create database bench_psql');
    await admin.end();
    const empty = new URL(postgres.url);
    empty.pathname = '/bench_psql';
    const load = `gunzip -c '${file}' | psql -X -q -v ON_ERROR_STOP=1 --single-transaction '${empty.href}' > /dev/null`;
    figures.psql.push((await seconds(() => shell(load))).seconds);

    const restore = await seconds(async () => {
      const { body } = await callServer(server.url, `POST /backups/${name}/restore`, token, {});
      return body.jobId ? (await follow(token, body.jobId)).steps : {};
    });
    figures.restore.push(restore.seconds);
    figures.loading.push(restore.seconds - (restore.result.preRestore ?? 0));
  }
  const peakAfterRestores = await peak();

  const line = (what, product, other, goal) => [
    what,
    median(product).toFixed(1),
    median(other).toFixed(1),
    (median(product) / median(other)).toFixed(2),
    goal,
    `${spread(product).toFixed(0)} %`,
  ];
  printTable(
    [`${count(deals)} deals`, 'product', 'other', 'ratio', 'goal', 'spread'],
    [
      line('backup, verified, against pg_dump and gzip -1, s', figures.ours, figures.theirs, '< 1'),
      line('restore without its pre-restore backup, against psql, s', figures.loading, figures.psql, '<= 1'),
      line('restore with it, against psql, s', figures.restore, figures.psql, ''),
      line('list p95 during a backup, against none, ms', figures.busy, figures.idle, '<= 2'),
      line('list p95 while bzip2 is unpacked, against none, ms', figures.unpacking, figures.idle, '<= 2'),
    ],
  );
  const bytes = (await stat(file)).size;
  console.log(`\nFile: ${(bytes / MiB).toFixed(0)} MiB; of pg_dump: ${(dumpBytes / MiB).toFixed(0)} MiB.`);
  console.log(
    `Most memory of the server: ${peakBefore.toFixed(0)} MiB before, ${peakAfterBackups.toFixed(0)} after the backups, ${peakAfterRestores.toFixed(0)} after the restores.`,
  );
} finally {
  await server.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
