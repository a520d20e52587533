import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { refusalOf, stubServer } from '../platform/api.fixture.ts';
import { call, setRefusalHandlers } from '../platform/api.ts';
import { refreshPermissions } from '../platform/permissions.ts';
import { person } from '../platform/person.fixture.ts';
import { signIn, signOut } from '../platform/session.ts';
import { keepFocus } from '../ui/keep-focus.ts';
import { answerTo } from './adjustment-question.ts';
import AdjustmentReason from './AdjustmentReason.tsx';

const id = '01930000-0000-7000-8000-0000000000aa';
const details = { month: '2026-11', askWhom: ['Lee Lead'] };
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
beforeEach(() => {
  keepFocus();
  setRefusalHandlers({ monthClosed: answerTo });
});
afterEach(() => signOut());

/** A table with an editor, which is removed as soon as the focus leaves it. */
function Table(): ReactNode {
  const [edits, setEdits] = useState(true);
  return (
    <div role="grid" aria-label="Deals" tabIndex={0}>
      {edits && <input aria-label="Sale" onBlur={() => setEdits(false)} />}
    </div>
  );
}

/** Shows the table, with a server that refuses to delete a row without a reason. Signs in as an administrator or a clerk. */
async function show(role: 'admin' | 'user') {
  const { requests } = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ role }) }),
    'POST /auth/logout': () => new Response(null, { status: 204 }),
    'GET /permissions/user/:id': () => refusalOf('NOT_FOUND'),
    'DELETE /deals/:id': ({ body }) =>
      body === undefined ? refusalOf('MONTH_CLOSED', { details }) : new Response(null, { status: 204 }),
  });
  await signIn({ email: 'ada@example.com', password: 'a password' });
  await refreshPermissions();
  await render(
    <RouterContextProvider router={router}>
      <MantineProvider>
        <main tabIndex={-1}>
          <Table />
        </main>
        <AdjustmentReason />
      </MantineProvider>
    </RouterContextProvider>,
  );
  const outcome = { code: 'pending' };
  const remove = (): void => {
    call('DELETE /deals/:id', { params: { id } }).then(
      () => (outcome.code = 'done'),
      (error: { code: string }) => (outcome.code = error.code),
    );
  };
  return {
    outcome,
    remove,
    reasons: () => requests.flatMap(({ route, body }) => (route === 'DELETE /deals/:id' ? (body ?? []) : [])),
  };
}

const dialog = page.getByRole('dialog', { name: 'November 2026 is closed' });
const reason = dialog.getByRole('textbox', { name: 'Reason' });
const save = dialog.getByRole('button', { name: 'Save with this reason' });

test('an administrator is asked for the reason, which is required and has at most 500 characters, and the next question offers it again', async () => {
  const { outcome, remove, reasons } = await show('admin');
  remove();
  await expect.element(reason).toHaveFocus();
  await save.click();
  await expect.element(dialog.getByText('Reason is required')).toBeVisible();
  await reason.fill('x'.repeat(501));
  await save.click();
  await expect.element(reason).toHaveAttribute('aria-invalid', 'true');
  await reason.fill('Invoice 12\nwas wrong');
  await save.click();
  await expect.poll(() => outcome.code).toBe('done');
  expect(reasons()).toEqual([{ adjustmentReason: 'Invoice 12 was wrong' }]);
  await expect.element(dialog).not.toBeInTheDocument();
  remove();
  await expect.element(reason).toHaveValue('Invoice 12 was wrong');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('Cancel rejects with the refusal, and the keyboard is in the table again, whose editor is closed', async () => {
  const { outcome, remove, reasons } = await show('admin');
  await page.getByRole('textbox', { name: 'Sale' }).click();
  remove();
  await expect.element(reason).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => outcome.code).toBe('MONTH_CLOSED');
  expect(reasons()).toEqual([]);
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('Enter does not save what was typed when the question opened', async () => {
  const { outcome, remove } = await show('admin');
  remove();
  await expect.element(reason).toHaveFocus();
  await userEvent.keyboard('500{Enter}');
  await expect.element(reason).toHaveValue('500\n');
  expect(outcome.code).toBe('pending');
});

test('the question closes when the session ends', async () => {
  const { outcome, remove } = await show('admin');
  remove();
  await expect.element(dialog).toBeVisible();
  signOut();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => outcome.code).toBe('MONTH_CLOSED');
});

test('a person who may not close months is not asked', async () => {
  const { outcome, remove } = await show('user');
  remove();
  await expect.poll(() => outcome.code).toBe('MONTH_CLOSED');
  await expect.element(dialog).not.toBeInTheDocument();
});
