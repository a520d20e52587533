import type { SavedView } from '@forecourt/contract/deal-views';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import DealViewDialogs from './DealViewDialogs.tsx';
import type { UsedView } from './use-arrangement.ts';

const id = '01900000-0000-7000-8000-0000000000d1';
const at = '2026-11-20T09:00:00.000Z';
const view: SavedView = {
  _id: id,
  name: 'Loans',
  shared: true,
  owner: id,
  ownerName: 'Kim Nguyen',
  filter: null,
  sort: null,
  group: null,
  columns: [],
  version: 1,
  createdAt: at,
  updatedAt: at,
  abilities: { edit: true, delete: true },
};

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

test('a new name does not share a view again that somebody else ended the sharing of', async () => {
  const current = { ...view, shared: false, version: 2 };
  const server = stubServer({
    'PUT /deal-views/:id': () => (server.requests.length > 1 ? current : refusalOf('CONFLICT', { current })),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <DealViewDialogs
            dialog="rename"
            used={{ view, current: view } as Partial<UsedView> as UsedView}
            onClose={() => undefined}
          />
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByRole('textbox').fill('All loans');
  await save.click();
  await expect.element(page.getByText('Share with everybody')).toBeVisible();
  await save.click();
  await expect
    .poll(() => server.requests.map(({ body }) => body))
    .toMatchObject([
      { name: 'All loans', version: 1 },
      { name: 'All loans', shared: false, version: 2 },
    ]);
});
