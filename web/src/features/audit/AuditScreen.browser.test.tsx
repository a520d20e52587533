import type { ResponseBody } from '@forecourt/contract/api';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { queryClient } from '../../platform/query-client.ts';
import AuditScreen from './AuditScreen.tsx';

type Page = ResponseBody<'GET /audit-logs'>;

const root = createRootRoute();
const path = '/settings/audit-logs';
const screen = createRoute({ getParentRoute: () => root, path, component: AuditScreen });
const history = createMemoryHistory({ initialEntries: [`${path}?search=zebra`] });
const router = createRouter({ routeTree: root.addChildren([screen]), history });

const entryOf = (number: number): Page['items'][number] => ({
  _id: String(number),
  at: '2026-11-20T01:02:03.000Z',
  actorId: null,
  actorName: `Ann ${number}`,
  ip: '127.0.0.1',
  action: 'deal.created',
  entity: 'deal',
  recordId: null,
  recordName: 'Zebra',
  before: null,
  after: null,
  redacted: false,
  requestId: '1',
});
const pageOf = (numbers: number[], part: Partial<Page>): Page => ({
  items: numbers.map(entryOf),
  total: numbers.length,
  totalIsCapped: part.searchedTo !== undefined,
  nextCursor: null,
  searchedTo: null,
  names: {},
  ...part,
});

test('a search of a long audit log continues by itself until a page is full, and shows what it found and how far back it is', async () => {
  const [october, september] = ['2026-10-03T04:05:06.000Z', '2026-09-03T04:05:06.000Z'];
  const [second, third] = [Promise.withResolvers<Page>(), Promise.withResolvers<Page | Response>()];
  const pages: Record<string, () => Page | Promise<Page | Response>> = {
    first: () => pageOf([], { nextCursor: '900', searchedTo: october }),
    900: () => second.promise,
    700: () =>
      server.count('GET /audit-logs') > 3
        ? pageOf([650, 640], { total: 7, nextCursor: '640' })
        : third.promise,
  };
  const server = stubServer({
    'GET /users': () => ({ items: [], total: 0 }),
    'GET /audit-logs': ({ query }) => pages[query['cursor'] ?? 'first']!(),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect.element(page.getByText('Nothing found so far')).toBeVisible();
  await expect.element(page.getByText(`0 found so far, back to ${formatDateTime(october)}`)).toBeVisible();
  second.resolve(pageOf([800], { nextCursor: '700', searchedTo: september }));
  await expect.element(page.getByText(`1 found so far, back to ${formatDateTime(september)}`)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Open “Ann 800 added deal Zebra”' })).toBeVisible();

  // A failure ends it, until somebody continues.
  third.resolve(refusalOf('INVALID_REQUEST'));
  const older = page.getByRole('button', { name: 'Show older entries' });
  await expect.element(older).not.toHaveAttribute('data-loading');
  expect(server.count('GET /audit-logs')).toBe(3);
  await older.click();
  await expect.element(page.getByText('8 found')).toBeVisible();
  await expect.element(page.getByText(/so far/)).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Open “Ann 640 added deal Zebra”' })).toBeVisible();
  expect(server.count('GET /audit-logs')).toBe(4);
});
