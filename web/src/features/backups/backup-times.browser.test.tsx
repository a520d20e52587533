import type { Backup, SchedulerStatus } from '@forecourt/contract/backups';
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { backupsKey, backupsQuery, schedulerQuery, useCreateBackup } from './backups.queries.ts';
import { useRestore } from './RestoreDialog.tsx';

const pending: Backup = {
  name: 'backup_2026-11-20.sql.gz',
  path: 'backups/backup_2026-11-20.sql.gz',
  type: 'manual',
  size: 0,
  createdAt: '2026-11-20T09:00:00.000Z',
  pending: true,
  jobId: null,
  signature: null,
  schemaVersion: null,
  rows: null,
  verifiedAt: null,
  provenAt: null,
  problem: null,
  isLocal: true,
  copies: [],
  isFetchable: false,
  isFetching: false,
};
const status: SchedulerStatus = { isRunning: true, nextRun: null, activeTasks: [], alerts: [] };
const restored = { preRestoreBackup: 'pre_restore_1', rows: 3, heldEmails: 0, notConfigured: false };

let stop: (() => void) | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stop?.();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

test('after a backup was started the list is requested every 3 s, 40 times at most', async () => {
  const server = stubServer({
    'GET /backups': () => ({ items: [pending], total: 1 }),
    'POST /backups': () => pending,
  });
  const requests = () => server.count('GET /backups');
  stop = new QueryObserver(queryClient, backupsQuery).subscribe(() => {});
  await pass(600_000);
  const { result } = await renderHook(useCreateBackup, { wrapper });
  const before = requests();
  void result.current.mutateAsync(undefined);
  await pass(0);
  expect(requests() - before, 'at once').toBe(1);
  await pass(2999);
  expect(requests() - before).toBe(1);
  await pass(1);
  expect(requests() - before, 'after 3 s').toBe(2);
  await pass(600_000);
  expect(requests() - before).toBe(40);
});

test('the list is not requested again once no backup is pending', async () => {
  let isPending = true;
  const server = stubServer({
    'GET /backups': () => ({ items: [{ ...pending, pending: isPending }], total: 1 }),
  });
  stop = new QueryObserver(queryClient, backupsQuery).subscribe(() => {});
  await queryClient.invalidateQueries({ queryKey: backupsKey });
  const before = server.count('GET /backups');
  isPending = false;
  await pass(600_000);
  expect(server.count('GET /backups') - before).toBeLessThanOrEqual(1);
});

test('the state of the scheduler is requested every 30 s', async () => {
  const server = stubServer({ 'GET /backups/scheduler/status': () => status });
  stop = new QueryObserver(queryClient, schedulerQuery).subscribe(() => {});
  await pass(29_000);
  expect(server.count('GET /backups/scheduler/status')).toBe(1);
  await pass(300_000);
  expect(server.count('GET /backups/scheduler/status')).toBe(11);
});

test.each([
  ['succeeded', () => restored],
  ['failed', () => refusalOf('BACKUP_BUSY')],
] as const)('the overlay of a restore that has %s at once stays for 5 s', async (phase, answer) => {
  stubServer({ 'POST /backups/:name/restore': answer });
  const { result } = await renderHook(useRestore, { wrapper });
  void result.current.run(pending.name, {});
  await pass(4999);
  await expect.poll(() => result.current.restore.phase).toBe('running');
  await pass(1);
  await expect.poll(() => result.current.restore.phase).toBe(phase);
});
