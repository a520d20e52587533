import { startEmbeddedPostgres } from './embedded.ts';

/** Runs the database on the folder given as argument, like a separate application, until SIGTERM or SIGKILL. */
const [, , dataDir = ''] = process.argv;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
try {
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  process.once('SIGTERM', () => void database.stop());
  process.stdout.write(`${JSON.stringify(database.connection)}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: String(error) })}\n`);
}
