import type { ClosedStatement } from '@forecourt/contract/statements';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import ClosedStatementScreen from './ClosedStatementScreen.tsx';
import { showScreen, statement } from './months.fixture.tsx';

type Note = ClosedStatement['notes'][number];
const note = (kind: Note['kind'], text = '', byName = 'Kim Nguyen'): Note => ({
  _id: `01900000-0000-7000-8000-00000000${({ seen: 1, query: 2, answer: 3, sent: 4 }[kind] + 1000).toString()}`,
  kind,
  text,
  byName,
  at: '2026-04-02T03:04:00.000Z',
});

/** Shows a statement with a server that stores notes. Returns what was requested. */
function show(shown: ClosedStatement) {
  let current = shown;
  const add = (added: Note, abilities: Partial<ClosedStatement['abilities']>) => {
    const { notes } = current;
    current = { ...current, notes: [...notes, added], abilities: { ...current.abilities, ...abilities } };
    return current;
  };
  const textOf = (body: unknown) => (body as { text: string }).text;
  return showScreen({
    route: '/statements/$id',
    path: `/statements/${shown._id}`,
    screen: ClosedStatementScreen,
    handlers: {
      'GET /statements/:id': () => current,
      'POST /statements/:id/seen': () => add(note('seen'), { see: 'IS_SEEN' }),
      'POST /statements/:id/query': ({ body }) => add(note('query', textOf(body)), { answer: true }),
      'POST /statements/:id/answer': ({ body }) =>
        add(note('answer', textOf(body), 'Ada Admin'), { answer: 'NO_QUERY' }),
    },
  });
}

const headers = (name: string) => page.getByRole('region', { name }).getByRole('columnheader');
const textsOf = (name: string) =>
  headers(name)
    .elements()
    .map((header) => header.textContent);

test('a statement shows its number, recipient, totals, rows and who closed the month', async () => {
  await show(statement());
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Commission statement 2026-03-001');
  await expect.element(page.getByText('Kim Nguyen, March 2026')).toBeVisible();
  await expect
    .element(page.getByText(/^Shine & Shield. Ada Admin closed the month, 01.04.2026/))
    .toBeVisible();
  for (const [name, amount] of [
    ['Total including GST', '$110.00'],
    ['GST (10%)', '$10.00'],
    ['Total excluding GST', '$100.00'],
  ] as const)
    await expect
      .element(page.getByText(name, { exact: true }).element().parentElement!)
      .toHaveTextContent(`${name}${amount}`);
  await expect.element(page.getByText('Total of rows')).not.toBeInTheDocument();
  const rows = page.getByRole('region', { name: 'Rows' });
  await expect
    .element(rows.getByRole('row', { name: /Ann Example/ }))
    .toHaveTextContent('05/03/2026Ann ExampleD-1Harbour New CarsDealTint$1,200.0010%$120.00');
  await expect.element(rows.getByRole('row', { name: /Total/ })).toHaveTextContent('Total$120.00');
});

test('columns that are hidden from the viewer are absent, and their amount remains', async () => {
  const [line] = statement().lines;
  const { dealId, date, status, amount } = line!;
  await show(statement({ lines: [{ dealId, date, status: status!, amount }] }));
  await expect.element(page.getByRole('region', { name: 'Rows' })).toBeVisible();
  expect(textsOf('Rows')).toEqual(['Added', 'Status', 'Commission']);
});

test('an account statement has the owner of each row, and not its own recipient and amount again', async () => {
  await show(statement({ kind: 'account', recipientName: 'Harbour New Cars' }));
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Account statement');
  await expect.element(page.getByRole('region', { name: 'Rows' })).toBeVisible();
  expect(textsOf('Rows')).toEqual(['Added', 'Customer', 'Deal number', 'Owner', 'Status', 'Items', 'Sale']);
});

test('adjustments to earlier months are shown in words with their reason, and waived points with theirs', async () => {
  await show(
    statement({
      lines: [],
      adjustments: [
        {
          dealId: '01900000-0000-7000-8000-0000000000d2',
          month: '2026-02',
          customerName: 'Bob Buyer',
          changes: [{ field: 'saleAmount', before: 200, after: 100 }],
          reason: 'Discount',
          byName: 'Lee Lead',
          at: '2026-03-02T03:04:00.000Z',
          amount: -10,
        },
      ],
      waivers: [
        {
          check: 'saleMissing',
          rows: 3,
          reason: 'Fleet sales',
          waivedByName: 'Lee Lead',
          waivedAt: '2026-04-01T00:04:00.000Z',
        },
      ],
    }),
  );
  const row = page
    .getByRole('region', { name: 'Adjustments to earlier months' })
    .getByRole('row', { name: /Bob/ });
  await expect.element(row).toMatchTextContent(/^February 2026Bob BuyerSale\$200.00 → .*\$100.00/);
  await expect.element(page.getByText('Total of rows')).toBeVisible();
  await expect.element(row).toMatchTextContent(/Lee Lead, 02\/03\/2026, \S+ [ap]m: Discount-\$10.00$/);
  await expect.element(page.getByText('No rows of this month.', { exact: false })).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'Waived points' }).getByRole('listitem'))
    .toMatchTextContent(/^Sale amount missing 3 rowsLee Lead, 01.04.2026, .*: Fleet sales$/);
});

test('a person marks their statement as seen once and asks, who closes months answers, and all is listed in order', async () => {
  const requests = await show(statement());
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await expect.element(page.getByText(/has seen the statement/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Mark as seen' })).not.toBeInTheDocument();

  await page.getByRole('button', { name: 'Ask a question…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect.element(dialog.getByText('Enter a text')).toBeVisible();
  await dialog.getByRole('textbox').fill('Where is Bob?\nHe paid.');
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect.element(page.getByText(/Where is Bob\?/)).toBeVisible();

  await page.getByRole('button', { name: 'Answer…' }).click();
  await expect.element(dialog.getByText('Kim Nguyen is notified.')).toBeVisible();
  await dialog.getByRole('textbox').fill('In April.');
  await dialog.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect.element(page.getByText('In April.')).toBeVisible();
  const entries = page.getByRole('region', { name: 'Questions and answers' }).getByRole('listitem');
  await expect.element(entries.nth(0)).toMatchTextContent('Kim Nguyen has seen the statement');
  await expect.element(entries.nth(1)).toMatchTextContent('Kim Nguyen asked');
  await expect.element(entries.nth(2)).toMatchTextContent('Ada Admin answered');
  await expect.element(page.getByRole('button', { name: 'Answer…' })).not.toBeInTheDocument();
  expect(requests.find(({ route }) => route === 'POST /statements/:id/query')?.body).toEqual({
    text: 'Where is Bob?\nHe paid.',
  });
});

test('a superseded statement says so and takes no questions', async () => {
  const abilities = { see: 'SUPERSEDED', query: 'SUPERSEDED', answer: 'NO_QUERY', send: 'SUPERSEDED' };
  await show(statement({ isSuperseded: true, abilities, notes: [note('sent', 'pay@harbour.example')] }));
  await expect
    .element(page.getByText('March 2026 was opened again, so this statement no longer counts.'))
    .toBeVisible();
  await expect.element(page.getByText(/sent the statement to pay@harbour.example/)).toBeVisible();
  for (const name of ['Mark as seen', 'Ask a question…', 'Answer…'])
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument();
});
