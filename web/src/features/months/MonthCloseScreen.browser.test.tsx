import type { CheckResult } from '@forecourt/contract/months';
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
import MonthCloseScreen from './MonthCloseScreen.tsx';

const filter: CheckResult['filter'] = {
  match: 'all',
  conditions: [{ field: 'saleAmount', operator: 'isEmpty' }],
};
const waiver = {
  reason: 'Fleet sales',
  rows: 3,
  waivedByName: 'Ada Admin',
  waivedAt: '2026-03-02T03:04:00.000Z',
};

/** Shows the screen on these checks of March 2026, with a server that stores waivers. Returns what was requested. */
async function show(checks: CheckResult[], path = '/month-close') {
  const current = new Map(checks.map((check) => [check.key, check]));
  const { requests } = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ role: 'admin' }) }),
    'GET /months': () => ({
      items: [
        { month: '2026-05', rows: 1 },
        { month: '2026-04', rows: 9 },
        { month: '2026-03', rows: 7 },
      ],
      total: 3,
    }),
    'GET /months/:month': ({ params }) => ({
      month: params['month']!,
      rows: 7,
      checks: [...current.values()],
    }),
    'POST /months/:month/waive': ({ body }) => {
      const { check, rows, reason } = body as { check: CheckResult['key']; rows: number; reason: string };
      const waived = { ...current.get(check)!, waiver: { ...waiver, rows, reason } };
      current.set(check, waived);
      return waived;
    },
    'DELETE /months/:month/waivers/:check': ({ params }) => {
      const key = params['check'] as CheckResult['key'];
      current.set(key, { ...current.get(key)!, waiver: null });
      return new Response(null, { status: 204 });
    },
    'GET /deals/options': () => ({
      statuses: [],
      dealerships: [],
      items: [],
      owners: [],
      columns: [],
      customFields: [],
      people: [],
      add: true,
      currentMonth: '2026-04',
      timeZone: 'Australia/Sydney',
    }),
  });
  await signIn({ email: 'ada@example.com', password: 'a password' });
  queryClient.clear();
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/month-close',
    component: MonthCloseScreen,
  });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren([route]), history });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return requests;
}

const card = (name: string) => page.getByRole('region', { name });
const check = (key: CheckResult['key'], count: number, more: Partial<CheckResult> = {}): CheckResult => ({
  key,
  count,
  filter,
  waiver: null,
  ...more,
});

test('the last month before the current one opens, with a link to the rows of what is to settle, and the checks without rows below', async () => {
  await show([check('openStatus', 0), check('saleMissing', 3)]);
  await expect.element(card('To settle').getByText('7 rows in March 2026')).toBeVisible();
  const link = card('To settle').getByRole('link', { name: '3 rows: Sale amount missing' });
  await expect.element(link).toHaveAttribute('href', expect.stringContaining('month=2026-03'));
  await expect.element(link).toHaveAttribute('href', expect.stringContaining('saleAmount'));
  await expect.element(card('Nothing found').getByText('Status still open')).toBeVisible();
});

test('a check is waived with a reason, for the rows that were shown, and taken back', async () => {
  const requests = await show([check('saleMissing', 3)], '/month-close?month=2026-02');
  await page.getByRole('button', { name: 'Waive: Sale amount missing' }).click();
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await expect.element(page.getByRole('dialog').getByText('Reason is required')).toBeVisible();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Paid next month');
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await expect.element(card('Waived').getByText(/Paid next month/)).toBeVisible();
  await expect.element(card('To settle').getByText('Nothing is left to settle.')).toBeVisible();
  expect(requests.find(({ route }) => route === 'POST /months/:month/waive')).toMatchObject({
    params: { month: '2026-02' },
    body: { check: 'saleMissing', rows: 3, reason: 'Paid next month' },
  });
  await page.getByRole('button', { name: 'Take back the waiver: Sale amount missing' }).click();
  await expect.element(card('To settle').getByText('Sale amount missing')).toBeVisible();
});

test('a waived check that has more rows is to settle again and says how many, and a reason is offered again', async () => {
  await show([check('saleMissing', 5, { waiver })]);
  await expect
    .element(
      card('To settle')
        .getByText(/Waived for 3 rows, now 5/)
        .first(),
    )
    .toBeVisible();
  await page.getByRole('button', { name: 'Waive: Sale amount missing' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Fleet sales');
});
