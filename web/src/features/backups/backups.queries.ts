import type { Backup, RestoreBody, SshSettingsInput, SshSettingsTest } from '@forecourt/contract/backups';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { startDownload } from '../../platform/downloads.ts';
import { resultOf } from '../../platform/jobs.ts';
import { uploadFile } from '../../platform/uploads.ts';

/** What changes whenever a backup is made, copied or deleted. */
export const backupsKey = ['backups', 'state'] as const;

/** After a backup was begun the list is asked for every 3 s, at most 40 times (spec section 9). */
const LOOK_MS = 3000;
const LOOKS = 40;
/** The scheduler's status is asked for every 30 s. */
const SCHEDULER_MS = 30_000;

const isAnyPending = (items: readonly Backup[] = []): boolean => items.some(({ pending }) => pending);

/** How often the list was asked for since the newest backup was begun. */
let looks = 0;

export const backupsQuery = queryOptions({
  queryKey: [...backupsKey, 'list'],
  queryFn: ({ signal }) => {
    looks += 1;
    return call('GET /backups', { signal, background: true });
  },
  refetchInterval: ({ state }) => (isAnyPending(state.data?.items) && looks < LOOKS ? LOOK_MS : false),
});

export const schedulerQuery = queryOptions({
  queryKey: [...backupsKey, 'scheduler'],
  queryFn: ({ signal }) => call('GET /backups/scheduler/status', { signal, background: true }),
  refetchInterval: SCHEDULER_MS,
});

export const sshSettingsQuery = queryOptions({
  queryKey: ['backups', 'ssh-settings'],
  queryFn: ({ signal }) => call('GET /backups/ssh-settings', { signal }),
  staleTime: 0,
});

/** A change, after which the list is loaded again. */
function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: backupsKey }) });
}

export const useCreateBackup = () =>
  useChange(() => {
    looks = 0;
    return call('POST /backups');
  });

type Deletion = { name: string; isConfirmed: boolean };

export const useDeleteBackup = () =>
  useChange(({ name, isConfirmed }: Deletion) =>
    call('DELETE /backups/:name', {
      params: { name },
      ...(isConfirmed && { query: { confirm: 'true' as const } }),
    }),
  );

/** Starts, stops or triggers the scheduler; its status is the answer. */
export function useScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'start' | 'stop' | 'trigger') => {
      if (what === 'trigger') looks = 0;
      return call(`POST /backups/scheduler/${what}`);
    },
    onSuccess: (status) => {
      client.setQueryData(schedulerQuery.queryKey, status);
      return client.invalidateQueries({ queryKey: backupsKey });
    },
  });
}

/** The browser streams the file to disk. */
export async function downloadBackup(name: string): Promise<void> {
  const { url } = await call('POST /backups/:name/download-ticket', { params: { name } });
  startDownload(url);
}

type Upload = { file: File; onProgress: (percent: number) => void };

/** Sends a file; the answer comes once its content was recognised as a backup. */
export const useUploadBackup = () =>
  useChange(async ({ file, onProgress }: Upload) =>
    resultOf(
      await uploadFile<{ filename: string; size: number } | { jobId: string }>({
        path: '/backups/upload',
        field: 'backup',
        file,
        onProgress,
      }),
    ),
  );

/** What a restore would do. Read anew each time it is looked at. */
export const restoreCheckQuery = (name: string) =>
  queryOptions({
    queryKey: ['backups', 'check', name],
    queryFn: async () => resultOf(await call('POST /backups/:name/check', { params: { name } })),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const restoreBackup = async (name: string, body: RestoreBody) =>
  resultOf(await call('POST /backups/:name/restore', { params: { name }, body: body ?? {} }));

export function useSshSettings() {
  const client = useQueryClient();
  return {
    save: useMutation({
      mutationFn: (input: SshSettingsInput) => call('POST /backups/ssh-settings', { body: input }),
      onSuccess: (settings) => client.setQueryData(sshSettingsQuery.queryKey, settings),
    }),
    test: useMutation({
      mutationFn: (input: SshSettingsTest) => call('POST /backups/ssh-settings/test', { body: input }),
      onSuccess: () => client.invalidateQueries({ queryKey: sshSettingsQuery.queryKey }),
    }),
  };
}
