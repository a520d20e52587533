import { TEST_KEY, type TestApp } from '../../../test/app.ts';
import { readConfig } from '../../platform/config.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { createProgress } from '../../platform/jobs/progress.ts';
import { openEventBus } from '../../platform/live/event-bus.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import type { Engine } from './backup-engine.ts';
import { createBackupsService } from './backups.service.ts';
import { createFolder } from './folder.ts';

/** Returns the engine of another instance on the same database and folder as a test app. */
export async function engineOf(server: TestApp): Promise<{ engine: Engine; close: () => Promise<void> }> {
  const { db, connection, dataDir } = server;
  const log = createLog('silent');
  const eventBus = openEventBus(connection, log);
  const progress = createProgress({ db, eventBus, log });
  const { engine } = createBackupsService({
    connection,
    db,
    secrets: createSecrets(TEST_KEY),
    config: readConfig({ DATA_DIR: dataDir }),
    folder: createFolder(dataDir),
    migrations: await readMigrations(),
    progress,
  });
  return {
    engine,
    async close() {
      await progress.stop();
      await eventBus.close();
    },
  };
}
