import type { ResponseBody } from '@forecourt/contract/api';
import type { MonthOverview } from '@forecourt/contract/months';
import type { ClosedStatement, StatementEntry } from '@forecourt/contract/statements';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  type RouteComponent,
} from '@tanstack/react-router';
import { render } from 'vitest-browser-react';
import { stubServer } from '../../platform/api.fixture.ts';
import { person } from '../../platform/person.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { signIn } from '../../platform/session.ts';
// Without its styles, the month field covers the buttons beside it.
import '../../ui/styles-base.ts';
import '../../ui/styles-dialog.ts';

const options: ResponseBody<'GET /deals/options'> = {
  statuses: [],
  dealerships: [],
  items: [],
  owners: [],
  columns: [],
  customFields: [],
  people: [],
  closedMonths: [],
  add: true,
  currentMonth: '2026-04',
  timeZone: 'Australia/Sydney',
};

type Shown = {
  /** The pattern of the route, and the address. */
  route: string;
  path: string;
  screen: RouteComponent;
  handlers: Parameters<typeof stubServer>[0];
};

/** For tests: shows a screen to an administrator. Returns what was requested. */
export async function showScreen({ route, path, screen, handlers }: Shown) {
  const { requests } = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ role: 'admin' }) }),
    'GET /deals/options': () => options,
    ...handlers,
  });
  await signIn({ email: 'ada@example.com', password: 'a password' });
  queryClient.clear();
  const root = createRootRoute();
  const shown = createRoute({ getParentRoute: () => root, path: route, component: screen });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren([shown]), history });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return requests;
}

/** March 2026, open and with nothing to settle. */
export const overview = (more: Partial<MonthOverview> = {}): MonthOverview => ({
  month: '2026-03',
  rows: 7,
  state: 'open',
  checks: [],
  closing: null,
  reopened: null,
  pendingAdjustments: 0,
  abilities: { close: true, reopen: 'NOT_LATEST' },
  ...more,
});

const CLOSED_AT = '2026-04-01T03:04:00.000Z';

/** The same month, closed by Ada. */
export const closedOverview = (more: Partial<MonthOverview> = {}): MonthOverview =>
  overview({
    state: 'closed',
    closing: {
      closedAt: CLOSED_AT,
      closedByName: 'Ada Admin',
      commission: { statements: 150, adjustments: -20.1, rows: 129.9 },
      account: { statements: 3000.3, adjustments: 0, rows: 3000.3 },
    },
    abilities: { close: 'IS_CLOSED', reopen: true },
    ...more,
  });

const head = {
  _id: '01900000-0000-7000-8000-0000000000a1',
  kind: 'commission',
  month: '2026-03',
  number: '2026-03-001',
  recipientId: person().userId,
  recipientName: 'Kim Nguyen',
  closedAt: CLOSED_AT,
  closedByName: 'Ada Admin',
  isSuperseded: false,
  totals: { lines: 120, adjustments: -10, total: 110, gstRate: 10, gst: 10, withoutGst: 100 },
} as const;

export const entry = (more: Partial<StatementEntry> = {}): StatementEntry => ({
  ...head,
  rows: 2,
  isSeen: false,
  isQueried: false,
  sentAt: null,
  ...more,
});

export const statement = (more: Partial<ClosedStatement> = {}): ClosedStatement => ({
  ...head,
  companyName: 'Shine & Shield',
  lines: [
    {
      dealId: '01900000-0000-7000-8000-0000000000d1',
      date: '2026-03-05',
      customerName: 'Ann Example',
      dealNumber: 'D-1',
      dealershipName: 'Harbour New Cars',
      ownerName: 'Kim Nguyen',
      status: 'Deal',
      items: 'Tint',
      saleAmount: 1200,
      commissionRate: 10,
      amount: 120,
    },
  ],
  adjustments: [],
  waivers: [],
  digest: 'ab'.repeat(32),
  notes: [],
  abilities: { see: true, query: true, answer: 'NO_QUERY', send: true },
  ...more,
});
