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
import { stubServer } from '../../platform/api.fixture.ts';
import { person } from '../../platform/person.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { signIn } from '../../platform/session.ts';
import ReportsScreen from './ReportsScreen.tsx';

const root = createRootRoute();
const reports = createRoute({ getParentRoute: () => root, path: '/reports', component: ReportsScreen });
const history = createMemoryHistory({ initialEntries: ['/reports?from=2026-02&to=2026-03'] });
const router = createRouter({ routeTree: root.addChildren([reports]), history });

const figures = { deals: 3 };
const report = { rows: [{ key: '2026-03', name: '2026-03', ...figures }], total: figures };

test('the figures of the former months cannot be downloaded as those of the chosen ones', async () => {
  const later = Promise.withResolvers<ResponseBody<'GET /reports'>>();
  stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ role: 'admin' }) }),
    'GET /reports': ({ query }) => (query['from'] === '2026-01' ? later.promise : report),
    'GET /deals/options': () => ({
      statuses: [],
      dealerships: [],
      items: [],
      owners: [],
      columns: [],
      customFields: [],
      people: [],
      add: true,
      currentMonth: '2026-03',
      closedMonths: [],
      timeZone: 'Australia/Sydney',
    }),
  });
  await signIn({ email: 'ada@example.com', password: 'a password' });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect.element(download).not.toHaveAttribute('aria-disabled');
  await router.navigate({ to: '/reports', search: { from: '2026-01', to: '2026-03' } as never });
  await expect.element(download).toHaveAttribute('aria-disabled');
  later.resolve(report);
  await expect.element(download).not.toHaveAttribute('aria-disabled');
});
