import type { S3SettingsInput } from '@forecourt/contract/backup-s3';
import type { RestoreBody, SshSettingsInput } from '@forecourt/contract/backups';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { startDownload } from '../../platform/files.ts';
import { resultOf } from '../../platform/jobs.ts';
import { storeResponse } from '../../platform/query-client.ts';
import { freshQuery, readQuery, useCall, useChange } from '../../platform/read-query.ts';
import { uploadFile } from '../../platform/uploads.ts';

/** Key prefix of queries that change when a backup is created, copied or deleted. */
export const backupsKey = ['backups', 'state'] as const;

/** Polling of the list after a start: every 3 s, at most 40 times (docs/product/limits.md, Backup limits). */
const POLL_MS = 3000;
const MAX_POLLS = 40;
const SCHEDULER_MS = 30_000;

/** Number of polls since the last backup was started. */
let polls = 0;

export const backupsQuery = queryOptions({
  queryKey: [...backupsKey, 'list'],
  queryFn: ({ signal }) => {
    polls += 1;
    return call('GET /backups', { signal, background: true });
  },
  refetchInterval: ({ state }) =>
    polls < MAX_POLLS && state.data?.items.some(({ pending }) => pending) ? POLL_MS : false,
});

export const schedulerQuery = {
  ...readQuery([...backupsKey, 'scheduler'], 'GET /backups/scheduler/status', { background: true }),
  refetchInterval: SCHEDULER_MS,
};

export const sshSettingsQuery = freshQuery(['backups', 'ssh-settings'], 'GET /backups/ssh-settings');
export const s3SettingsQuery = freshQuery(['backups', 's3-settings'], 'GET /backups/s3-settings');

export const useCreateBackup = () =>
  useChange(backupsKey, () => {
    polls = 0;
    return call('POST /backups');
  });

type Deletion = { name: string; isConfirmed: boolean };

export const useDeleteBackup = () =>
  useChange(backupsKey, ({ name, isConfirmed }: Deletion) =>
    call('DELETE /backups/:name', {
      params: { name },
      ...(isConfirmed && { query: { confirm: 'true' as const } }),
    }),
  );

/** Starts, stops or triggers the scheduler. The response is its status. */
export function useScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'start' | 'stop' | 'trigger') => {
      if (what === 'trigger') polls = 0;
      return call(`POST /backups/scheduler/${what}`);
    },
    onSuccess: (status) => {
      storeResponse(schedulerQuery.queryKey, status);
      return client.invalidateQueries({ queryKey: backupsKey });
    },
  });
}

export async function downloadBackup(name: string): Promise<void> {
  const { url } = await call('POST /backups/:name/download-ticket', { params: { name } });
  startDownload(url);
}

type Upload = { file: File; onProgress: (percent: number) => void };

/** Resolves after the content was verified as a backup. */
export const useUploadBackup = () =>
  useChange(backupsKey, async ({ file, onProgress }: Upload) =>
    resultOf(
      await uploadFile<{ filename: string; size: number } | { jobId: string }>({
        path: '/backups/upload',
        field: 'backup',
        file,
        onProgress,
      }),
    ),
  );

/** Copies a backup back to this server. */
export const useFetchBackup = () =>
  useChange(backupsKey, async (name: string) =>
    resultOf(await call('POST /backups/:name/fetch', { params: { name } })),
  );

/** The effect of a restore, loaded each time it is shown. */
export const restoreCheckQuery = (name: string) =>
  queryOptions({
    queryKey: ['backups', 'check', name],
    queryFn: async () => resultOf(await call('POST /backups/:name/check', { params: { name } })),
    staleTime: 0,
    gcTime: 0,
  });

export const restoreBackup = async (name: string, body: RestoreBody) =>
  resultOf(await call('POST /backups/:name/restore', { params: { name }, body: body ?? {} }));

export const useSshSettings = () => ({
  save: useMutation({
    mutationFn: (input: SshSettingsInput) => call('POST /backups/ssh-settings', { body: input }),
    onSuccess: (settings) => storeResponse(sshSettingsQuery.queryKey, settings),
  }),
  test: useCall(sshSettingsQuery.queryKey, 'POST /backups/ssh-settings/test'),
});

export const useS3Settings = () => ({
  save: useMutation({
    mutationFn: (input: S3SettingsInput) => call('POST /backups/s3-settings', { body: input }),
    onSuccess: (settings) => storeResponse(s3SettingsQuery.queryKey, settings),
  }),
  test: useCall(s3SettingsQuery.queryKey, 'POST /backups/s3-settings/test'),
});
