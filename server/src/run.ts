import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { prepareFirstAdmin } from './features/auth/setup.service.ts';
import { startDemoColleague } from './features/demo/demo-colleague.ts';
import { connectPeople } from './features/demo/demo-mail.service.ts';
import { createDemoRecords } from './features/demo/demo-records.ts';
import { fillDemo } from './features/demo/demo.service.ts';
import { openDemoMail } from './features/demo/mail-server.ts';
import { createEmailSettingsService } from './features/email-settings/email-settings.service.ts';
import { createClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { prepareDataDir } from './platform/data-dir.ts';
import {
  assertDataFolder,
  assertUnbound,
  bucketPlace,
  claimDataFolder,
  folderPlace,
} from './platform/data-folder.ts';
import { openDatabase } from './platform/db/database.ts';
import { startEmbeddedPostgres } from './platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from './platform/db/migrations.ts';
import { NOT_DIRECT, preparePooler } from './platform/db/pooler.ts';
import { readOutdated } from './platform/db/postgres-releases.ts';
import { openReplica } from './platform/db/replica.ts';
import { isDiskFull } from './platform/disk-space.ts';
import { assertInstallation, claimInstallation } from './platform/installation.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { openEventBus } from './platform/live/event-bus.ts';
import { createLog, type Log } from './platform/log.ts';
import { createMetrics, serveMetrics } from './platform/metrics.ts';
import { finishRotation } from './platform/next-key.ts';
import { openStore } from './platform/s3/store.ts';
import { createKey, createSecrets, findKey } from './platform/secrets.ts';
import { createSessions } from './platform/sessions.ts';
import { assertSharedFolder } from './platform/shared-folder.ts';
import { StartError } from './platform/start-error.ts';
import { addReplicaReadings } from './readings.ts';

/** A stop that takes longer is forced (docs/product/limits.md, Start and stop). */
const STOP_MS = 9500;

const OUTDATED =
  'PostgreSQL is older than its newest release, which fixes vulnerabilities: docs/operating.md, PostgreSQL and its updates';

/**
 * Starts everything, prints the address, and stops in reverse order on SIGTERM and SIGINT. Throws expected failures as
 * `StartError` after stopping the parts already started.
 */
export async function run(config: Config, webRoot: string): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const running = new AsyncDisposableStack();
  const stop = (code = 0): void => {
    // Ctrl+C in a terminal and npm's own signal are two signals.
    if (running.disposed) return;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    running.disposeAsync().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopped with an error');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop()).on('SIGINT', () => stop());
  const onReplaced = (line: string): void => {
    process.stderr.write(`${line}\n`);
    stop(1);
  };

  try {
    const { address, setupKey, demo } = await start(config, webRoot, running, log, onReplaced);
    const url = config.PUBLIC_URL?.replace(/\/$/, '') ?? address;
    process.stdout.write(`Forecourt is ready: ${url}\n`);
    for (const { name, email, password } of demo)
      process.stdout.write(`Demo, shown once: ${email}  ${password}  (${name})\n`);
    if (setupKey)
      process.stdout.write(`Create the first administrator (works once): ${url}/register#key=${setupKey}\n`);
  } catch (error) {
    // A signal during the start has its own handler.
    if (running.disposed) return;
    await running.disposeAsync();
    throw await explainFullDisk(error, config);
  }
}

/**
 * Returns the address.
 * @param running receives the started parts, also if the start fails
 */
export async function start(
  config: Config,
  webRoot: string,
  running: AsyncDisposableStack,
  log: Log,
  onReplaced?: (line: string) => void,
) {
  const dataDir = resolve(config.DATA_DIR);
  await prepareDataDir(dataDir);
  const store = config.FILES_URL
    ? running.adopt(await openStore(config), (opened) => opened.close())
    : undefined;
  const place = store ? bucketPlace(store) : folderPlace(dataDir);
  if (!config.DATABASE_URL && !existsSync(join(dataDir, 'postgres'))) await assertUnbound(place);
  const connection =
    directConnection(config) ??
    running.adopt(await startEmbeddedPostgres({ dataDir, pgBin: config.PG_BIN, log }), (postgres) =>
      postgres.stop(),
    ).connection;
  await finishRotation(connection, dataDir).catch(throwUnreachable(config));
  const key = await assertInstallation(connection, () => findKey(dataDir, config.SECRET_KEY)).catch(
    throwUnreachable(config),
  );
  // The only key of all backups must not be lost with a temporary folder.
  if (store && !key)
    throw new StartError(
      'FILES_URL needs SECRET_KEY, because DATA_DIR may be temporary. Set it to 32 bytes in base64, for example by `openssl rand -base64 32`, and keep a copy.',
    );
  await assertDataFolder(connection, place).catch(throwUnreachable(config));
  const eventBus = running.adopt(openEventBus(connection, log), (open) => open.close());
  await assertSharedFolder({ place, connection, eventBus, log }).catch(throwUnreachable(config));
  const pooled =
    config.DATABASE_DIRECT_URL && config.DATABASE_URL
      ? await preparePooler(config.DATABASE_DIRECT_URL, config.DATABASE_URL, log).catch(
          throwUnreachable(config),
        )
      : connection;
  await migrate(connection, await readMigrations(), log).catch(throwUnreachable(config));
  const secrets = createSecrets(key ?? (await createKey(dataDir)));
  const { db, stall, connections } = running.adopt(openDatabase(pooled, log), (database) => database.close());
  const replica =
    config.DATABASE_REPLICA_URL === undefined
      ? undefined
      : running.adopt(await openReplica(config.DATABASE_REPLICA_URL, db, log), (opened) => opened.close());
  await claimInstallation(db, secrets);
  await claimDataFolder(connection, place);
  const clock = createClock(config.TIME_ZONE);
  const demo = config.DEMO ? await fillDemo(db, clock) : [];
  const demoMail = config.DEMO ? running.adopt(await openDemoMail(clock), (open) => open.close()) : undefined;
  if (demoMail) await connectPeople(db, createEmailSettingsService({ secrets, config }), demoMail);
  const setupKey = await prepareFirstAdmin(
    db,
    config.ADMIN_EMAIL && config.ADMIN_PASSWORD
      ? { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD }
      : undefined,
  );
  // Before the pool, of which its handlers take connections.
  running.defer(() => eventBus.close());
  const jobs = running.adopt(await startJobs(connection, log), (started) => started.stop());
  const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics(log);
  const app = running.adopt(
    await buildApp({
      config,
      clock,
      db,
      stall,
      read: replica?.read,
      connection,
      jobs,
      log,
      eventBus,
      secrets,
      demoMail,
      store,
      webRoot,
      metrics,
      validateResponses: false,
      ...(onReplaced && { onReplaced }),
    }),
    (built) => built.close(),
  );
  if (metrics) {
    metrics.add({
      name: 'database_connections',
      help: 'Connections for requests, and requests that wait for one',
      labels: ['state'],
      read: () => Object.entries(connections()).map(([state, value]) => ({ labels: { state }, value })),
    });
    if (replica) addReplicaReadings(metrics, replica);
    const { url } = running.adopt(await serveMetrics(metrics, config), (served) => served.close());
    log.info({ url }, 'metrics');
  }
  if (config.DEMO) {
    const parts = { app, db, clock, log, sessions: createSessions(db, eventBus, log) };
    running.adopt(startDemoColleague(parts), (colleague) => colleague.close());
    if (demo.length > 0) await createDemoRecords(parts);
  }
  const address = await listen(app, config);
  const outdated = await readOutdated(db);
  if (outdated) log.warn(outdated, OUTDATED);
  return { address, setupKey, demo };
}

/** Returns a `StartError` if the disk is full; returns other errors unchanged. */
async function explainFullDisk(failure: unknown, config: Config): Promise<unknown> {
  if (failure instanceof StartError || config.DATABASE_URL) return failure;
  if (!(await isDiskFull(config.DATA_DIR))) return failure;
  return new StartError(
    `The disk of ${config.DATA_DIR} is full. What was stored is kept; make room and start again.`,
  );
}

/** Returns the connection to PostgreSQL itself, which may be behind a pooler; undefined for the embedded one. */
export function directConnection({ DATABASE_URL, DATABASE_DIRECT_URL }: Config) {
  const connectionString = DATABASE_DIRECT_URL ?? DATABASE_URL;
  return connectionString === undefined ? undefined : { connectionString };
}

/** Throws a `StartError`, without the URL's password, if the database cannot be reached or refuses the connection. */
export const throwUnreachable = (config: Config) => (error: Error & { code?: string }) => {
  if (!config.DATABASE_URL || error instanceof StartError) throw error;
  if (error.message.includes('unsupported startup parameter')) throw new StartError(NOT_DIRECT);
  // Some errors are aggregates with an empty message, with one error per address of the host.
  const name = config.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  throw new StartError(`The database of ${name} cannot be used: ${error.message || error.code}`);
};

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(
        `PORT ${config.PORT} on ${config.HOST} is taken. Stop the other program or set PORT.`,
      );
    if (code === 'EACCES')
      throw new StartError(`PORT ${config.PORT} may not be opened by this user. Set PORT to 1024 or more.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST ${config.HOST} is not an address of this machine.`);
    throw error;
  }
  const { port } = app.server.address() as { port: number };
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.HOST) ? 'localhost' : config.HOST;
  return `http://${host}:${port}`;
}
