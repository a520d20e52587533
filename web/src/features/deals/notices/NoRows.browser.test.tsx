import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { DataEntryContext } from '../data-entry-context.ts';
import type { DealView } from '../deal-view.ts';
import NoRows from './NoRows.tsx';

const isCalled = { field: 'notes', operator: 'contains', value: 'called' } as const;
const filter: ColumnFilter = { match: 'all', conditions: [isCalled, { ...isCalled, value: 'ring' }] };
const setFilter = vi.fn<(filter: ColumnFilter | null) => void>();

afterEach(() => {
  queryClient.clear();
  setFilter.mockReset();
});

/** The screen without rows, on a server that finds `total` of them without the filters. */
async function open(view: Partial<DealView>, total: number, isCapped = false) {
  const { requests } = stubServer({
    'GET /deals': () =>
      total < 0
        ? refusalOf('INSUFFICIENT_PERMISSIONS')
        : { items: [], total, totalIsCapped: isCapped, page: 1, limit: 100, totalPages: 1, nextCursor: null },
  });
  const context = {
    view: { month: '2026-11', search: 'smith', filter, ...view },
    arrangement: { setFilter },
  } as unknown as ComponentProps<typeof DataEntryContext>['value'];
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <DataEntryContext value={context}>
          <NoRows />
        </DataEntryContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return requests;
}
const link = (name: string) => page.getByRole('button', { name, exact: true });

test('a search that finds nothing behind filters shows how many rows it finds without them', async () => {
  const requests = await open({}, 1);
  await expect.element(page.getByText('No row with 2 filters')).toBeVisible();
  await expect.element(link('1 without them')).toBeVisible();
  expect(requests.map(({ query }) => [query['search'], query['filter'], query['month']])).toEqual([
    ['smith', undefined, undefined],
  ]);
  await link('1 without them').click();
  expect(setFilter.mock.calls).toEqual([[null]]);
});

test('a search of one month behind one filter names the month, and counts its rows only', async () => {
  const oneFilter: ColumnFilter = { match: 'all', conditions: [isCalled] };
  const requests = await open({ inMonth: true, filter: oneFilter }, 1000, true);
  await expect.element(page.getByText('No row with 1 filter in November 2026')).toBeVisible();
  await expect.element(link('More than 1,000 without it')).toBeVisible();
  expect(requests.map(({ query }) => query['month'])).toEqual(['2026-11']);
});

test('a search that finds nothing without the filters either says so', async () => {
  await open({}, 0);
  await expect.element(page.getByText('Nothing found for “smith”, also without the 2 filters')).toBeVisible();
});

test('the filters of a search can be removed if the rows without them cannot be counted', async () => {
  await open({}, -1);
  await link('Search without them').click();
  expect(setFilter.mock.calls).toEqual([[null]]);
});

test('a search of one month without filters names the month', async () => {
  await open({ filter: null, inMonth: true }, 0);
  await expect.element(page.getByText('Nothing found for “smith” in November 2026')).toBeVisible();
});
