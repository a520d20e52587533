import type { ChangedRow, ChangeSet } from '@forecourt/contract/deal-changes';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { stubServer } from '../../../platform/api.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { ChangeSetDrawer } from './ChangeSetDrawer.tsx';

const id = '01900000-0000-7000-8000-0000000000d0';
const at = '2026-11-20T09:00:00.000Z';
const changeSet: ChangeSet = {
  _id: id,
  kind: 'merge',
  title: 'Merged 2 rows',
  details: [],
  state: null,
  by: id,
  byName: 'Kim Nguyen',
  at,
  lastAt: at,
  rows: 2,
  added: 0,
  changed: 2,
  deleted: 0,
  restored: 0,
  abilities: { revert: true },
};
const rowOf = (customerName: string, actions: ChangedRow['actions']): ChangedRow => ({
  _id: id.replace(/0$/, customerName === 'Ann' ? '1' : '2'),
  customerName,
  month: '2026-11',
  isDeleted: true,
  actions,
  changes: [],
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('an opened change set says which rows were merged and separated', async () => {
  const items = [rowOf('Ann', ['updated', 'merged']), rowOf('Ben', ['separated', 'transferred'])];
  stubServer({
    'GET /changes/:id': () => ({ changeSet, hidden: 0, items, total: 2, page: 1, totalPages: 1, limit: 100 }),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <ChangeSetDrawer id={id} isAlone={false} onClose={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const row = (name: RegExp) => page.getByRole('row', { name });
  await expect.element(row(/^Ann/).getByText('Merged rows into it', { exact: true })).toBeVisible();
  await expect
    .element(row(/^Ben/).getByText('Separated merged rows from it, Transferred', { exact: true }))
    .toBeVisible();
});
