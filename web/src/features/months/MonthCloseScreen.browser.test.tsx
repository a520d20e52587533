import type { CheckResult, MonthOverview } from '@forecourt/contract/months';
import type { StatementEntry } from '@forecourt/contract/statements';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { refusalOf } from '../../platform/api.fixture.ts';
import MonthCloseScreen from './MonthCloseScreen.tsx';
import { closedOverview, entry, overview, showScreen } from './months.fixture.tsx';

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
  return showScreen({
    route: '/month-close',
    path,
    screen: MonthCloseScreen,
    handlers: {
      'GET /months': () => ({
        items: [
          { month: '2026-05', rows: 1, state: 'open' },
          { month: '2026-04', rows: 9, state: 'open' },
          { month: '2026-03', rows: 7, state: 'open' },
        ],
        total: 3,
      }),
      'GET /months/:month': ({ params }) =>
        overview({ month: params['month']!, checks: [...current.values()] }),
      'GET /statements': () => ({ items: [], total: 0 }),
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
    },
  });
}

type Months = {
  /** What the server has at first, and after a close and a reopening. */
  open: MonthOverview;
  closed?: MonthOverview;
  statements?: StatementEntry[];
  close?: () => Response;
};

/** Shows March 2026 with a server that closes it and opens it again. Returns what was requested. */
async function showMonth({ open, closed = closedOverview(), statements = [], close }: Months) {
  let current = open;
  return showScreen({
    route: '/month-close',
    path: '/month-close?month=2026-03',
    screen: MonthCloseScreen,
    handlers: {
      'GET /months/:month': () => current,
      'GET /statements': () => ({ items: statements, total: statements.length }),
      'GET /months/:month/accounting': () =>
        refusalOf('NOT_FOUND', { message: 'This month has no current statements of this kind.' }),
      'POST /months/:month/close': () => close?.() ?? (current = closed),
      'POST /months/:month/reopen': ({ body }) =>
        (current = overview({
          state: 'closing',
          reopened: {
            at: '2026-04-02T03:04:00.000Z',
            byName: 'Ada Admin',
            reason: (body as { reason: string }).reason,
          },
        })),
    },
  });
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
  await expect.element(card('To do').getByText('7 rows in March 2026')).toBeVisible();
  const link = card('To do').getByRole('link', { name: '3 rows: Sale amount missing' });
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
  await expect.element(card('To do').getByText('Nothing is left to do.')).toBeVisible();
  expect(requests.find(({ route }) => route === 'POST /months/:month/waive')).toMatchObject({
    params: { month: '2026-02' },
    body: { check: 'saleMissing', rows: 3, reason: 'Paid next month' },
  });
  await page.getByRole('button', { name: 'Take back the waiver: Sale amount missing' }).click();
  await expect.element(card('To do').getByText('Sale amount missing')).toBeVisible();
});

test('a waived check that has more rows is to settle again and says how many, and a reason is offered again', async () => {
  await show([check('saleMissing', 5, { waiver })]);
  await expect
    .element(
      card('To do')
        .getByText(/Waived for 3 rows, now 5/)
        .first(),
    )
    .toBeVisible();
  await page.getByRole('button', { name: 'Waive: Sale amount missing' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Fleet sales');
});

const closeButton = page.getByRole('button', { name: 'Close month…' });
const dialog = page.getByRole('dialog');

/** Returns the tooltip of a button that does nothing. */
async function refusalOfButton(button: Locator): Promise<Locator> {
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  // The pointer may be there since the last test.
  await page.getByRole('heading', { level: 1 }).hover();
  await button.hover();
  return page.getByRole('tooltip');
}

test('a month with something to settle cannot be closed, and the button says why', async () => {
  await show([check('saleMissing', 3)]);
  await expect
    .element(await refusalOfButton(closeButton))
    .toHaveTextContent('Settle or waive what is listed first.');
});

test.each([
  ['FUTURE_MONTH', 'This month has not begun.'],
  ['EARLIER_IS_OPEN', 'An earlier month with rows is open. Close that one first.'],
])('a month that cannot be closed says why: %s', async (close, text) => {
  await showMonth({
    open: overview({ checks: [check('saleMissing', 1)], abilities: { close, reopen: 'NOT_LATEST' } }),
  });
  await expect.element(await refusalOfButton(closeButton)).toHaveTextContent(text);
});

test('a month is closed after a confirmation that says what happens, and then shows its balance', async () => {
  const requests = await showMonth({
    open: overview({ checks: [check('saleMissing', 0)], pendingAdjustments: 2 }),
  });
  await closeButton.click();
  await expect
    .element(dialog.getByText('2 changes of earlier closed months are added to the statements.'))
    .toBeVisible();
  await expect
    .element(dialog.getByText(/change only with a reason, by people who may close months/))
    .toBeVisible();
  await dialog.getByRole('button', { name: 'Close month' }).click();
  await expect.element(page.getByText(/Ada Admin closed the month, 01.04.2026/)).toBeVisible();
  expect(requests.filter(({ route }) => route === 'POST /months/:month/close')).toHaveLength(1);
  const row = card('Balance').getByRole('row', { name: /Commission/ });
  await expect.element(row).toHaveTextContent('Commission$150.00-$20.10$129.90');
  await expect.element(card('Balance').getByText(/add up to what the rows say now/)).toBeVisible();
  await expect.element(closeButton).not.toBeInTheDocument();
});

test('a refused close names the open checks, also those whose rows only others see', async () => {
  await showMonth({
    open: overview({ checks: [check('openStatus', 0)] }),
    close: () =>
      refusalOf('CONFLICT', {
        message: 'There are rows to settle or to waive. Nothing was closed.',
        current: [
          { check: 'saleMissing', rows: 3 },
          { check: 'openStatus', rows: 1 },
        ],
      }),
  });
  await closeButton.click();
  await dialog.getByRole('button', { name: 'Close month' }).click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(
      'Nothing was closed. Settle or waive first: Sale amount missing (3 rows), Status still open (1 row). You do not see all of these rows. Ask an administrator.',
    );
});

test('a balance that differs by a cent is shown as an error', async () => {
  const { closing } = closedOverview();
  const account = { statements: 3000.3, adjustments: 0, rows: 3000.29 };
  await showMonth({ open: closedOverview({ closing: { ...closing!, account } }) });
  await expect
    .element(card('Balance').getByRole('alert'))
    .toMatchTextContent(/^Sales: statements and changes differ from the rows by -\$0.01/);
  await expect.element(card('Balance').getByText(/add up to/)).not.toBeInTheDocument();
});

test('a closed month lists its statements by kind with their marks, and superseded ones folded below', async () => {
  const id = (end: number) => `01900000-0000-7000-8000-0000000000${end}`;
  await showMonth({
    open: closedOverview({ checks: [check('saleMissing', 2, { waiver }), check('openStatus', 1)] }),
    statements: [
      entry({ _id: id(11), number: '2026-03-003', isSeen: true, isQueried: true }),
      entry({
        _id: id(12),
        kind: 'account',
        recipientName: 'Harbour New Cars',
        sentAt: '2026-04-02T03:04:00.000Z',
      }),
      entry({ _id: id(13), isSuperseded: true }),
    ],
  });
  const commission = page.getByRole('region', { name: 'Commission statements' });
  const row = commission.getByRole('row', { name: /Kim Nguyen/ });
  await expect.element(row).toMatchTextContent(/2026-03-003.*\$110.00.*Question.*Seen/);
  await expect
    .element(row.getByRole('link', { name: 'Kim Nguyen' }))
    .toHaveAttribute('href', `/statements/${id(11)}`);
  const account = page.getByRole('region', { name: 'Account statements' });
  await expect.element(account.getByRole('row', { name: /Harbour New Cars/ })).toMatchTextContent(/Sent/);
  const folded = page.getByRole('table', { name: 'Superseded statements (1)' });
  await expect.element(folded).not.toBeInTheDocument();
  await page.getByText('Superseded statements (1)').click();
  await expect.element(folded.getByRole('row', { name: /Kim Nguyen/ })).toMatchTextContent(/Superseded/);

  // The statements have the waivers, which stay as they are.
  await expect.element(card('Waived').getByText(/Fleet sales/)).toBeVisible();
  await expect.element(card('Found since the close').getByText('Status still open')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /waive/i })).not.toBeInTheDocument();
});

test('an administrator reopens a month with a reason, which is shown then', async () => {
  const requests = await showMonth({ open: closedOverview() });
  await page.getByRole('button', { name: 'Reopen…' }).click();
  await expect.element(dialog.getByText(/Its statements stay and are marked as superseded/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Reopen month' }).click();
  await expect.element(dialog.getByText('Reason is required')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A sale was entered twice');
  await dialog.getByRole('button', { name: 'Reopen month' }).click();
  await expect
    .element(page.getByText(/Ada Admin reopened the month, .*: A sale was entered twice/))
    .toBeVisible();
  await expect.element(closeButton).toBeVisible();
  expect(requests.find(({ route }) => route === 'POST /months/:month/reopen')).toMatchObject({
    params: { month: '2026-03' },
    body: { reason: 'A sale was entered twice' },
  });
});

test.each([
  ['ONLY_ADMINISTRATORS', 'Only an administrator can reopen a month.'],
  ['NOT_LATEST', 'Only the month that was closed last can be reopened.'],
])('a month that cannot be reopened says why: %s', async (reopen, text) => {
  await showMonth({ open: closedOverview({ abilities: { close: 'IS_CLOSED', reopen } }) });
  const button = page.getByRole('button', { name: 'Reopen…' });
  await expect.element(await refusalOfButton(button)).toHaveTextContent(text);
});

test('a month without rows leads to Data Entry', async () => {
  await showMonth({ open: overview({ rows: 0 }) });
  await expect
    .element(page.getByRole('link', { name: 'Open Data Entry' }))
    .toHaveAttribute('href', expect.stringContaining('/data-entry?month=2026-03'));
  await expect.element(closeButton).not.toBeInTheDocument();
});
