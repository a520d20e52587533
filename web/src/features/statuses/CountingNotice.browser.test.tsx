import type { Status } from '@forecourt/contract/statuses';
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
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { CountingForm } from './CountingNotice.tsx';

const at = '2026-11-20T09:00:00.000Z';
const idOf = (order: number) => `01900000-0000-7000-8000-0000000000d${order}`;
const status = (order: number, name: string, part: Partial<Status> = {}): Status => ({
  _id: idOf(order),
  name,
  color: '#2f6fb2',
  order,
  active: true,
  isDefault: false,
  isClosed: false,
  countsForCommission: null,
  usage: 0,
  version: 1,
  createdAt: at,
  updatedAt: at,
  abilities: { edit: true, delete: true },
  ...part,
});

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

test('the notice about statuses shows what another administrator decided meanwhile before it overwrites that', async () => {
  const items = [
    status(1, 'Called', { countsForCommission: false, version: 2 }),
    status(2, 'Deal', { countsForCommission: true, version: 2 }),
    status(3, 'Paid', { countsForCommission: true }),
  ];
  const current = { items, total: items.length };
  const route = 'PUT /status-configurations/commission';
  const server = stubServer({
    [route]: () => (server.count(route) > 1 ? current : refusalOf('CONFLICT', { current })),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <CountingForm statuses={[status(1, 'Called'), status(2, 'Deal')]} onClose={() => undefined} />
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByText('Deal', { exact: true }).click();
  await save.click();
  await expect.element(page.getByText('Deal, Paid')).toBeVisible();
  await expect.element(page.getByLabelText('Paid')).not.toBeChecked();
  await page.getByRole('button', { name: 'Take theirs', exact: false }).click();
  await expect.element(page.getByLabelText('Paid')).toBeChecked();
  await save.click();
  await expect
    .poll(() => server.requests.map(({ body }) => body))
    .toEqual([
      { ids: [idOf(1)], versions: { [idOf(1)]: 1, [idOf(2)]: 1 } },
      { ids: [idOf(2), idOf(3)], versions: { [idOf(1)]: 2, [idOf(2)]: 2, [idOf(3)]: 1 } },
    ]);
});
