import type { ResponseBody } from '@forecourt/contract/api';
import type { StatementEntry } from '@forecourt/contract/statements';
import { useQuery } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { refusalOf, type stubServer } from '../../platform/api.fixture.ts';
import { person } from '../../platform/person.fixture.ts';
import { entry, showScreen } from './months.fixture.tsx';
import { StatementActions } from './StatementActions.tsx';
import { statementsOfQuery } from './statements.queries.ts';

afterEach(() => vi.restoreAllMocks());

const id = (end: number): string => `01900000-0000-7000-8000-0000000000${end}`;
const account = (end: number, recipientName: string, more: Partial<StatementEntry> = {}): StatementEntry =>
  entry({ _id: id(end), kind: 'account', number: `2026-03-0${end}`, recipientName, ...more });
const SENT_AT = '2026-04-02T03:04:00.000Z';
const harbour = account(11, 'Harbour New Cars');
const coast = account(12, 'Coast');
const lonely = account(13, 'Lonely', { sentAt: SENT_AT });

const template = (
  end: number,
  name: string,
  status: 'active' | 'draft' = 'active',
): ResponseBody<'GET /email-templates'>['items'][number] => ({
  _id: id(end),
  id: id(end),
  name,
  status,
  subject: 'Statement',
  version: 1,
  owner: person()._id,
  ownerName: 'Ada Admin',
  sharedWith: [],
  createdAt: SENT_AT,
  updatedAt: SENT_AT,
  abilities: { edit: true, delete: true, share: true, transfer: true },
});

const batch = (more: object = {}): ResponseBody<'POST /statements/send'> => ({
  _id: id(50),
  total: 2,
  counts: { queued: 2 },
  refused: [],
  ...more,
});

type Shown = {
  kind?: 'commission' | 'account';
  /** What the server has; changed by tests. */
  statements?: StatementEntry[];
  handlers?: Parameters<typeof stubServer>[0];
};

/** Shows the actions of these statements of March 2026. Returns what was requested. */
async function show({ kind = 'account', statements = [harbour, coast, lonely], handlers = {} }: Shown = {}) {
  const Actions = () => {
    const { data } = useQuery(statementsOfQuery('2026-03'));
    return data && <StatementActions month="2026-03" kind={kind} statements={data.items} />;
  };
  return showScreen({
    route: '/month-close',
    path: '/month-close',
    screen: Actions,
    handlers: {
      'GET /statements': () => ({ items: statements, total: statements.length }),
      'GET /email-templates': () => ({
        items: [
          template(21, 'Monthly statement'),
          template(22, 'Welcome'),
          template(23, 'Unfinished', 'draft'),
        ],
        total: 3,
      }),
      ...handlers,
    },
  });
}

const dialog = page.getByRole('dialog');
const sendButton = page.getByRole('button', { name: 'Send…' });
const tick = (name: RegExp | string) => dialog.getByRole('checkbox', { name });
const submit = (name: string) => dialog.getByRole('button', { name, exact: true });

/** Opens the dialog and chooses the template for statements. */
async function openSend(): Promise<void> {
  await sendButton.click();
  await dialog.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Monthly statement' }).click();
}

const bodies = (requests: Awaited<ReturnType<typeof show>>) =>
  requests.filter(({ route }) => route === 'POST /statements/send').map(({ body }) => body);

test('statements that were not sent yet are ticked, an active template is chosen, and the result lists the dealerships that got nothing', async () => {
  const problem = 'Coast has no active contact for Monthly statement. Nobody is in To.';
  const requests = await show({
    handlers: {
      'POST /statements/send': () =>
        batch({
          total: 1,
          counts: { queued: 1 },
          refused: [{ statementId: coast._id, dealershipName: 'Coast', problems: [problem] }],
        }),
    },
  });
  await sendButton.click();
  await expect.element(submit('Send 2 statements')).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('combobox', { name: 'Template' }).click();
  await expect.element(page.getByRole('option', { name: 'Welcome' })).toBeVisible();
  await expect.element(page.getByRole('option', { name: 'Unfinished' })).not.toBeInTheDocument();
  await page.getByRole('option', { name: 'Monthly statement' }).click();
  await expect.element(tick('Harbour New Cars')).toBeChecked();
  await expect.element(tick('Coast')).toBeChecked();
  await expect.element(tick(/Lonely.*Sent/)).not.toBeChecked();
  await submit('Send 2 statements').click();

  await expect.element(dialog.getByRole('status')).toMatchTextContent(/^1 statement is on the way/);
  const refused = dialog.getByRole('region', { name: 'No email to 1 dealership' });
  await expect.element(refused.getByText(problem)).toBeVisible();
  await expect.element(refused.getByRole('listitem')).toMatchTextContent(/^Coast/);
  await expect
    .element(dialog.getByRole('link', { name: 'Show in Email History' }))
    .toHaveAttribute('href', `/email-templates/history?batch=${id(50)}`);
  expect(bodies(requests)).toEqual([{ ids: [harbour._id, coast._id], templateId: id(21) }]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a statement that was sent is sent again only if it is ticked, which the dialog says', async () => {
  const requests = await show({
    handlers: { 'POST /statements/send': () => batch() },
  });
  await openSend();
  await tick(/^All that were not sent yet \(2\)/).click();
  await expect.element(submit('Send 0 statements')).toHaveAttribute('aria-disabled', 'true');
  await tick('Coast').click();
  await tick(/Lonely/).click();
  await expect
    .element(dialog.getByText('1 statement was sent before. The contacts get it once more.'))
    .toBeVisible();
  await submit('Send 2 statements').click();
  await expect.element(dialog.getByText(/^2 statements are on the way/)).toBeVisible();
  expect(bodies(requests)).toEqual([
    { ids: [coast._id, lonely._id], templateId: id(21), again: [lonely._id] },
  ]);
});

test('a statement that a colleague has sent meanwhile is named, marked, and not sent again by the next attempt', async () => {
  const details = 'Lee Lead has sent 2026-03-012 to Coast before. Nothing was sent now.';
  const statements = [harbour, coast];
  const requests = await show({
    statements,
    handlers: {
      'POST /statements/send': () => {
        if (statements[1] !== coast) return batch({ total: 1 });
        statements[1] = { ...coast, sentAt: SENT_AT };
        return refusalOf('ALREADY_SENT', { details });
      },
    },
  });
  await openSend();
  await submit('Send 2 statements').click();
  await expect.element(dialog.getByRole('alert').getByText(details)).toBeVisible();
  await expect.element(tick(/Coast.*Sent/)).not.toBeChecked();
  await submit('Send 1 statement').click();
  await expect.element(dialog.getByText(/^1 statement is on the way/)).toBeVisible();
  expect(bodies(requests)[1]).toEqual({ ids: [harbour._id], templateId: id(21) });
});

test('a refusal shows the problems and keeps the choices', async () => {
  const details = 'Welcome is about deals: it contains Customer. Choose another template.';
  await show({ handlers: { 'POST /statements/send': () => refusalOf('SEND_REFUSED', { details }) } });
  await openSend();
  await tick('Coast').click();
  await submit('Send 1 statement').click();
  await expect.element(dialog.getByRole('alert').getByText(details)).toBeVisible();
  await expect.element(tick('Coast')).not.toBeChecked();
  await expect.element(submit('Send 1 statement')).toBeEnabled();
});

test('a long sending shows its progress and then its result', async () => {
  const finish = Promise.withResolvers<void>();
  let isDone = false;
  void finish.promise.then(() => (isDone = true));
  const job = (more: object): ResponseBody<'GET /jobs/:id'> => ({
    _id: id(60),
    kind: 'statements',
    key: null,
    status: 'running',
    step: 'statements',
    percent: 50,
    done: 1,
    total: 2,
    result: null,
    code: null,
    message: null,
    errors: null,
    createdAt: SENT_AT,
    finishedAt: null,
    ...more,
  });
  await show({
    handlers: {
      'POST /statements/send': () => ({ jobId: id(60) }),
      'GET /jobs/:id': () =>
        isDone ? job({ status: 'succeeded', result: batch(), finishedAt: SENT_AT }) : job({}),
    },
  });
  await openSend();
  await submit('Send 2 statements').click();
  await expect.element(dialog.getByText('1 of 2 files are created')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  finish.resolve();
  await expect.element(dialog.getByText(/^2 statements are on the way/)).toBeVisible();
});

test('a person without an active template reads whom to ask', async () => {
  await show({
    handlers: {
      'GET /email-templates': () => ({ items: [template(23, 'Unfinished', 'draft')], total: 1 }),
    },
  });
  await sendButton.click();
  await expect.element(dialog.getByText(/no active template that you may use\. Ask/)).toBeVisible();
});

test('a person without the right to close months cannot send, and reads why', async () => {
  await show({
    handlers: { 'POST /auth/login': () => ({ token: 'token', user: person({ role: 'user' }) }) },
  });
  await expect.element(sendButton).toHaveAttribute('aria-disabled', 'true');
  await sendButton.hover();
  await expect
    .element(page.getByRole('tooltip', { name: /Only people who may close months can send/ }))
    .toBeVisible();
});

test('a list without statements offers nothing, and commission statements are not sent', async () => {
  await show({ kind: 'commission', statements: [] });
  const accounting = page.getByRole('button', { name: 'Accounting…' });
  await expect.element(accounting).toHaveAttribute('aria-disabled', 'true');
  await expect.element(sendButton).not.toBeInTheDocument();
});

/** Stubs the download of a blob. Returns the names under which files were saved. */
function savedFiles(): string[] {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

test('the file for Xero is downloaded with the session, without an account if none is entered', async () => {
  const names = savedFiles();
  const requests = await show({
    handlers: { 'GET /months/:month/accounting': () => new Response('*ContactName\r\n') },
  });
  await page.getByRole('button', { name: 'Accounting…' }).click();
  await expect.element(dialog.getByText(/Each account statement is one invoice/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(names).toEqual(['Xero invoices 2026-03.csv']);
  const request = requests.find(({ route }) => route === 'GET /months/:month/accounting');
  expect(request).toMatchObject({
    params: { month: '2026-03' },
    query: { kind: 'account', program: 'xero' },
  });
  expect(request?.headers.get('authorization')).toBe('Bearer token');
  expect(request?.query).not.toHaveProperty('account');
});

test('the file for MYOB needs an account number, and a refusal of the server is shown', async () => {
  const names = savedFiles();
  let isRefused = true;
  const message = 'This month has no current statements of this kind.';
  const requests = await show({
    kind: 'commission',
    handlers: {
      'GET /months/:month/accounting': () =>
        isRefused ? refusalOf('NOT_FOUND', { message }) : new Response('Co./Last Name\r\n'),
    },
  });
  await page.getByRole('button', { name: 'Accounting…' }).click();
  await dialog.getByText('MYOB', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect.element(dialog.getByText('MYOB needs an account number')).toBeVisible();
  const field = dialog.getByRole('textbox', { name: 'Account number' });
  await field.fill('6-1234567890-1234567890');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect.element(dialog.getByText(/20 characters/)).toBeVisible();
  await field.fill(' 6-1200 ');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect.element(dialog.getByRole('alert').getByText(message)).toBeVisible();
  isRefused = false;
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(names).toEqual(['MYOB bills 2026-03.csv']);
  expect(requests.at(-1)).toMatchObject({ query: { kind: 'commission', program: 'myob' } });
  expect(requests.at(-1)?.query['account']?.trim()).toBe('6-1200');
});
