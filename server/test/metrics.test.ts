import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../src/platform/config.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { createMetrics, serveMetrics } from '../src/platform/metrics.ts';
import { testApp } from './app.ts';
import { hasTool } from './operator-tools.ts';

const metrics = createMetrics(createLog('silent'));
const server = await testApp({}, { metrics });
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const served = await serveMetrics(metrics, readConfig({ METRICS_PORT: '0' }));
afterAll(async () => {
  await served.close();
  await server.close();
});

const scrape = async (): Promise<string> => (await fetch(served.url)).text();
/** Returns the lines of a metric of ours, without its prefix. */
const linesOf = async (name: string): Promise<string[]> =>
  (await scrape())
    .split('\n')
    .filter((line) => line.startsWith(`forecourt_${name}`))
    .map((line) => line.replace('forecourt_', ''));

test('metrics are served in the OpenMetrics format on a port of their own, on this machine only', async () => {
  const { headers, status } = await fetch(served.url);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(await scrape()).toMatch(/# EOF\n?$/);
  expect((await fetch(served.url.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(served.url, { method: 'POST' })).status).toBe(404);
  expect(await server.call('GET /metrics')).toMatchObject({ status: 404 });
});

test('requests are counted by route and class of status, without ids and names', async () => {
  await server.call(`GET /users/${ada.id}/secret`, { token: ada.token });
  await server.call(`GET /jobs/${newId()}`, { token: ada.token });
  await server.call('GET /jobs', { token: ada.token });
  const lines = await linesOf('http_request_duration_seconds_count');
  expect(lines).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/jobs/:id",status="4xx"} 1',
  );
  expect(lines).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/jobs",status="2xx"} 1',
  );
  const text = await scrape();
  for (const secret of [ada.id, ada.name, ada.email, 'secret']) expect(text).not.toContain(secret);
});

test('waiting mail and jobs, the ages of backups, alerts, the version of PostgreSQL and the event loop are read', async () => {
  await server.db
    .insertInto('backups')
    .values({
      id: newId(),
      name: 'auto_backup_1.sql.gz',
      origin: 'made',
      finished_at: sql<string>`now() - interval '2 hours'`,
      verified_at: sql<string>`now()`,
    })
    .execute();
  // Of a clock that was ahead.
  await sql`insert into backups (id, name, origin, finished_at, verified_at)
    values (${newId()}, 'auto_backup_2.sql.gz', 'made', now() + interval '8 days', now())`.execute(server.db);
  await server.db
    .updateTable('backup_settings')
    .set({
      scheduler_running: true,
      running_since: sql`now() - interval '2 days'`,
      last_problem: 'The disk is full.',
    })
    .execute();
  expect(await linesOf('queue_waiting')).toContain('queue_waiting{queue="mail"} 0');
  expect(await linesOf('queue_age_seconds')).toContain('queue_age_seconds{queue="mail"} 0');
  expect(await linesOf('mail_age_seconds')).toEqual(['mail_age_seconds 0']);
  expect(await linesOf('live_connections')).toEqual(['live_connections 0']);
  expect(await linesOf('backup_alerts')).toEqual(['backup_alerts{kind="backupFailed"} 1']);
  const [age, ...others] = await linesOf('backup_age_seconds');
  // Without a successful one, since the schedule was turned on: otherwise a rule would never see that there is none.
  expect(others).toEqual([expect.stringMatching(/^backup_age_seconds\{kind="restore_test"\} 1728\d\d\./)]);
  expect(age).toMatch(/^backup_age_seconds\{kind="backup"\} 72\d\d\./);
  await server.db.deleteFrom('backups').execute();
  expect((await linesOf('backup_age_seconds'))[0]).toMatch(/\{kind="backup"\} 1728\d\d\./);
  const schedule = (isRunning: boolean) =>
    server.db.updateTable('backup_settings').set({ scheduler_running: isRunning }).execute();
  await schedule(false);
  expect(await linesOf('backup_age_seconds')).toEqual([]);
  await schedule(true);
  const { rows } = await sql<{ version: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as version`.execute(server.db);
  expect(await linesOf(`postgresql_outdated{version="${rows[0]!.version}"}`)).toHaveLength(1);
  expect(await scrape()).toContain('nodejs_eventloop_lag_p99_seconds ');
});

test('a reading that fails is absent and counted, and the others are served', async () => {
  await sql`alter table backups rename to backups_away`.execute(server.db);
  expect(await linesOf('backup_age_seconds')).toEqual([]);
  expect(await linesOf('queue_waiting')).not.toEqual([]);
  await sql`alter table backups_away rename to backups`.execute(server.db);
  const failures = (await linesOf('metric_failures')).join('\n');
  expect(failures).toMatch(/metric="backup_age_seconds"\} [1-9]/);
  expect(failures).not.toContain('queue_waiting');
  expect(await linesOf('backup_age_seconds')).not.toEqual([]);
});

test('the dashboard and the alerts of deploy/ name only existing metrics', async () => {
  // The program adds these with its pool and with a replica.
  const existing = `${await scrape()} forecourt_database_connections forecourt_replica_in_use`;
  for (const file of ['alerts.yml', 'alerts.test.yml', 'grafana-dashboard.json']) {
    const text = await readFile(join(import.meta.dirname, '../../deploy', file), 'utf8');
    const names = [...new Set(text.match(/(?:forecourt|nodejs)_[a-z0-9_]+/g))];
    expect(names.length, file).toBeGreaterThan(3);
    const missing = names.filter(
      (name) => !existing.includes(name.replace(/_(total|count|sum|bucket)$/, '')),
    );
    expect(missing, file).toEqual([]);
  }
});

test('a port that is taken is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(serveMetrics(metrics, readConfig({ METRICS_PORT: String(port) }))).rejects.toThrow(
    `METRICS_PORT ${port} on METRICS_HOST 127.0.0.1 cannot be used: EADDRINUSE.`,
  );
  other.close();
});

/** Converts OpenMetrics to the older format that promtool reads, in which the name of a counter ends in `_total`. */
const toPrometheusText = (text: string): string =>
  [...text.matchAll(/^# TYPE (\S+) counter$/gm)]
    .reduce((rest, [, name]) => rest.replaceAll(new RegExp(`^(# [A-Z]+ ${name}) `, 'gm'), '$1_total '), text)
    .replace(/^# EOF\n/m, '');

test.runIf(hasTool('promtool'))(
  'promtool finds no fault with the names, types and help of the metrics',
  async () => {
    metrics.countMail('sent');
    const input = toPrometheusText(await scrape());
    expect(input).toContain('forecourt_mail_attempts_total{outcome="sent"} 1');
    expect(execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toBe('');
  },
);

test.runIf(hasTool('prometheus'))('Prometheus reads the metrics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const target = new URL(served.url).host;
  const config = {
    scrape_configs: [
      { job_name: 'forecourt', scrape_interval: '1s', static_configs: [{ targets: [target] }] },
    ],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as { port: number };
  await new Promise((closed) => socket.close(closed));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  try {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=forecourt_queue_waiting{queue="mail"}`;
    const values = async (): Promise<unknown> => {
      const response = await fetch(url).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as {
        data?: { result: { value: unknown[] }[] };
      };
      return body?.data?.result.map(({ value }) => value[1]);
    };
    await expect.poll(values, { timeout: 60_000 }).toEqual(['0']);
  } finally {
    child.kill();
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
});
