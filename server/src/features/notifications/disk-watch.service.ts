import { LOW_DISK_PERCENT } from '@forecourt/contract/notification-limits';
import type { Db } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import { readSpace, type Space } from '../../platform/disk-space.ts';
import type { Log } from '../../platform/log.ts';
import { notifyAdmins } from './admin-notices.service.ts';

const CHECK_MS = 60_000;
const ALMOST_FULL_BYTES = 1e9;

/** Returns the kind of notification for administrators, the most urgent one; null if there is enough space. */
export function diskNotice({ free, total }: Space): 'diskLow' | 'diskAlmostFull' | null {
  if (free < ALMOST_FULL_BYTES) return 'diskAlmostFull';
  return free * 100 < total * LOW_DISK_PERCENT ? 'diskLow' : null;
}

type Parts = { db: Db; log: Log; folder: string };

/** Notifies administrators once a day while the disk of `folder` has little free space. */
export function createDiskWatch({ db, log, folder }: Parts) {
  async function check(space?: Space): Promise<void> {
    const freeSpace = space ?? (await readSpace(folder));
    const kind = freeSpace && diskNotice(freeSpace);
    if (!kind) return;
    log.warn(
      { freeBytes: freeSpace.free, totalBytes: freeSpace.total },
      'the disk of DATA_DIR is almost full',
    );
    await db.transaction().execute((tx) => notifyAdmins(tx, kind));
  }

  return {
    /** @param space free space; by default read from the disk */
    check,
    job: defineJob({ name: 'disk-space', schedule: { everyMs: CHECK_MS }, run: () => check() }),
  };
}
