import type { RestoreBody, RestoreResult } from '@forecourt/contract/backups';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/backups.ts';
import { restoreBackup } from './backups.queries.ts';

/** Minimum time that the overlay is shown, in milliseconds (docs/product/limits.md, Backup limits). */
const OVERLAY_MS = 5000;

/** The phase of a restore: none, overlay, result dialog. */
export type Restore =
  | { phase: 'none' }
  | { phase: 'running' }
  | { phase: 'succeeded'; result: RestoreResult }
  | { phase: 'failed'; message: string };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a restore from the confirmation to its result (docs/product/backups.md, Backups screen). */
export function useRestore() {
  const client = useQueryClient();
  const [restore, setRestore] = useState<Restore>({ phase: 'none' });

  const run = async (name: string, body: RestoreBody): Promise<void> => {
    setRestore({ phase: 'running' });
    const outcome = restoreBackup(name, body).then(
      (result): Restore => ({ phase: 'succeeded', result }),
      (thrown: unknown): Restore => ({ phase: 'failed', message: messageOf(thrown, texts.restoreFailed) }),
    );
    const [ended] = await Promise.all([outcome, pause(OVERLAY_MS)]);
    setRestore(ended);
    // All cached data may be outdated.
    await client.invalidateQueries();
  };

  return { restore, run, close: (): void => setRestore({ phase: 'none' }) };
}
