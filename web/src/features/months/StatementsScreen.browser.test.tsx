import type { StatementEntry } from '@forecourt/contract/statements';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { entry, showScreen } from './months.fixture.tsx';
import StatementsScreen from './StatementsScreen.tsx';

const show = (items: StatementEntry[]) =>
  showScreen({
    route: '/statements',
    path: '/statements',
    screen: StatementsScreen,
    handlers: { 'GET /statements': () => ({ items, total: items.length }) },
  });

const OTHER = '01900000-0000-7000-8000-0000000000f1';

test('a person finds their own statements by month', async () => {
  await show([entry({ isSeen: true })]);
  const link = page.getByRole('link', { name: 'March 2026' });
  await expect.element(link).toHaveAttribute('href', `/statements/${entry()._id}`);
  await expect
    .element(page.getByRole('row', { name: /March 2026/ }))
    .toMatchTextContent(/2026-03-001.*\$110.00.*Seen/);
  await expect.element(page.getByRole('columnheader', { name: 'Recipient' })).not.toBeInTheDocument();
});

test('who closes months finds the statements of all by recipient', async () => {
  await show([
    entry(),
    entry({ _id: OTHER, kind: 'account', recipientId: OTHER, recipientName: 'Harbour New Cars' }),
  ]);
  await expect
    .element(page.getByRole('row', { name: /Harbour New Cars/ }))
    .toMatchTextContent(/March 2026.*Account statement/);
  await expect.element(page.getByRole('link', { name: 'Kim Nguyen' })).toBeVisible();
});

test('a person without a statement sees when they get one', async () => {
  await show([]);
  await expect.element(page.getByText('No statements yet')).toBeVisible();
});
