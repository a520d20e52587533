import type { BackupRow, BackupRowsFilter } from '@forecourt/contract/backup-rows';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../platform/api.ts';
import { resultOf } from '../../../platform/jobs.ts';
import { useChange } from '../../../platform/read-query.ts';
import { changesKey } from '../changes/changes.queries.ts';

/** Resolves after the backup was read, which may take a minute. */
export const useBackupRows = (name: string) =>
  useMutation({
    mutationFn: async (body: BackupRowsFilter) =>
      resultOf(await call('POST /backups/:name/rows', { params: { name }, body })),
  });

export const useCopyRows = (name: string) =>
  useChange(changesKey, async (rows: readonly Pick<BackupRow, '_id' | 'version'>[]) => {
    const versions = Object.fromEntries(rows.map(({ _id, version }) => [_id, version]));
    const body = { rows: Object.keys(versions), versions };
    return resultOf(await call('POST /backups/:name/rows/copy', { params: { name }, body }));
  });
