import type { Job } from '@forecourt/contract/jobs';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { stubServer } from '../../platform/api.fixture.ts';
import { startLiveEvents } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';
import { RestoreOverlay } from './RestoreDialog.tsx';

const RESTORE = '01900000-0000-7000-8000-0000000000a1';
const BACKUP = '01900000-0000-7000-8000-0000000000a2';

const jobOf = (id: string): Job => ({
  _id: id,
  kind: id === RESTORE ? 'restore' : 'backup',
  key: null,
  status: 'running',
  step: '',
  percent: 40,
  done: null,
  total: null,
  result: null,
  code: null,
  message: null,
  errors: null,
  createdAt: '2026-11-27T00:00:00.000Z',
  finishedAt: null,
});

test('the dialog of a restore shows the progress of the restore, also while other jobs of the user run', async () => {
  const { requests } = stubServer({ 'GET /jobs/:id': ({ params }) => jobOf(params['id']!) });
  const stop = startLiveEvents();
  const otherTab = new BroadcastChannel('live-events');
  const announce = (jobId: string): void =>
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    otherTab.postMessage({ kind: 'job', job: { jobId } });
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  await render(
    <RouterContextProvider router={router}>
      <MantineProvider>
        <QueryClientProvider client={queryClient}>
          <RestoreOverlay />
        </QueryClientProvider>
      </MantineProvider>
    </RouterContextProvider>,
  );
  const progress = page.getByRole('progressbar');
  const isRequested = (id: string) => () => requests.some(({ params }) => params['id'] === id);
  announce(BACKUP);
  await expect.poll(isRequested(BACKUP)).toBe(true);
  expect(progress.elements()).toHaveLength(0);
  announce(RESTORE);
  await expect.element(progress).toHaveAttribute('aria-valuenow', '40');
  const before = requests.length;
  announce(BACKUP);
  await expect.poll(() => requests.length).toBeGreaterThan(before);
  expect(requests.slice(before).map(({ params }) => params['id'])).not.toContain(BACKUP);
  expect(progress.elements()).toHaveLength(1);
  stop();
  otherTab.close();
  vi.unstubAllGlobals();
});
