import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { prepareFirstAdmin } from './features/auth/setup.service.ts';
import { connectPeople } from './features/demo/demo-mail.service.ts';
import { fillDemo } from './features/demo/demo.service.ts';
import { openDemoMail } from './features/demo/mail-server.ts';
import { createEmailSettingsService } from './features/email-settings/email-settings.service.ts';
import { createClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { openDatabase } from './platform/db/database.ts';
import { startEmbeddedPostgres } from './platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from './platform/db/migrations.ts';
import { claimInstallation } from './platform/installation.ts';
import { startJobs } from './platform/jobs.ts';
import { openNotices } from './platform/live/notices.ts';
import { createLog } from './platform/log.ts';
import { createSecrets, loadKey } from './platform/secrets.ts';
import { StartError } from './platform/start-error.ts';

/** A stop that takes longer is ended by force (product.md section 2: within 10 s). */
const STOP_MS = 9500;

/**
 * Starts everything, prints the address, and stops in the opposite order on SIGTERM and SIGINT. Expected
 * failures are `StartError`s; what was started by then is stopped again.
 */
export async function run(config: Config, webRoot: string): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const running = new AsyncDisposableStack();
  const stop = (): void => {
    // Ctrl+C in a terminal and npm's own signal arrive as two.
    if (running.disposed) return;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    running.disposeAsync().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopped with an error');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);

  try {
    const { app, setupKey, demo } = await start(config, webRoot, running, log);
    const listening = await listen(app, config);
    const url = config.PUBLIC_URL?.replace(/\/$/, '') ?? listening;
    process.stdout.write(`Forecourt is ready: ${url}\n`);
    for (const { name, email, password } of demo)
      process.stdout.write(`Demo, shown once: ${email}  ${password}  (${name})\n`);
    if (setupKey)
      process.stdout.write(`Create the first administrator (works once): ${url}/register#key=${setupKey}\n`);
  } catch (error) {
    // A signal during the start takes its own way out.
    if (running.disposed) return;
    await running.disposeAsync();
    throw await withoutSpace(error, config);
  }
}

async function start(
  config: Config,
  webRoot: string,
  running: AsyncDisposableStack,
  log: ReturnType<typeof createLog>,
) {
  const dataDir = resolve(config.DATA_DIR);
  const connection = config.DATABASE_URL
    ? { connectionString: config.DATABASE_URL }
    : running.adopt(await startEmbeddedPostgres({ dataDir, log }), (postgres) => postgres.stop()).connection;
  const secrets = createSecrets(await loadKey(dataDir, config.SECRET_KEY));
  await migrate(connection, await readMigrations(), log).catch(unreachable(config));
  const { db } = running.adopt(openDatabase(connection, log), (database) => database.close());
  await claimInstallation(db, secrets);
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
  const notices = running.adopt(openNotices(connection, log), (open) => open.close());
  const jobs = running.adopt(await startJobs(connection, log), (started) => started.stop());
  const app = running.adopt(
    await buildApp({
      config,
      clock,
      db,
      connection,
      jobs,
      log,
      notices,
      secrets,
      demoMail,
      webRoot,
      checkAnswers: false,
    }),
    (built) => built.close(),
  );
  return { app, setupKey, demo };
}

/** So little is left that PostgreSQL gives up in the middle of something, in whatever words. */
const FULL_BYTES = 16 * 1024 * 1024;

/** Says in one line that the disk is full where that is why a start failed; answers other errors as they are. */
async function withoutSpace(failure: unknown, config: Config): Promise<unknown> {
  if (failure instanceof StartError || config.DATABASE_URL) return failure;
  const disk = await statfs(config.DATA_DIR).catch(() => undefined);
  if (!disk || disk.bavail * disk.bsize > FULL_BYTES) return failure;
  return new StartError(
    `The disk of ${config.DATA_DIR} is full. What was stored is kept; make room and start again.`,
  );
}

/** A database that cannot be reached or refuses us at the start is told in one line, without the URL's password. */
const unreachable = (config: Config) => (error: Error & { code?: string }) => {
  if (!config.DATABASE_URL || error instanceof StartError) throw error;
  // Some refusals come as several at once, one for each address of the host, without words of their own.
  throw new StartError(`The database of DATABASE_URL cannot be used: ${error.message || error.code}`);
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
