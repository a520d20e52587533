import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany, type Person } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;

async function addRow(by: Person, month: string, customerName: string): Promise<string> {
  const deal = await addDeal(company, by, company.dealershipId, { month, customerName });
  return deal._id as string;
}

test('a row that an edit moves to this month stays until it loses the focus, so that it can be completed', async () => {
  const mover = await company.addPerson({ name: 'Mo Mover', permissions: CLERK });
  await company.call(`PUT /settings/user/${mover.id}/dataEntry.moveEditedToCurrentMonth`, {
    body: { value: true },
  });
  const month = '2025-04';
  const second = await addRow(mover, month, 'Second Row');
  const first = await addRow(mover, month, 'First Row');
  const screen = await openDataEntry(company, browser, mover, { search: `?month=${month}` });
  await screen.typeInto('First Row', 'Deal number', 'DN-1');
  await screen.press('Tab');
  await screen.page.getByRole('alert').filter({ hasText: 'The row is in' }).waitFor();
  await expect.poll(async () => (await stored(first)).month).not.toBe(month);

  await screen.page.keyboard.type('Corolla');
  await screen.press('Enter');
  await screen.row('First Row').waitFor({ state: 'detached' });
  await expect.poll(async () => (await stored(first)).vehicle).toBe('Corolla');
  await expect.poll(() => stored(first)).toMatchObject({ dealNumber: 'DN-1' });
  await expect.poll(() => stored(second)).toMatchObject({ month, dealNumber: '', vehicle: '' });
  // Enter moved to the row below, which is still active.
  await screen.page.keyboard.type('Second Deal');
  await screen.press('Enter');
  await expect.poll(async () => JSON.stringify(await stored(second))).toContain('Second Deal');
  await screen.close();
});

test('typing after a colleague deleted the row affects no other row', async () => {
  const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
  const month = '2025-05';
  const below = await addRow(kim, month, 'Row Below');
  const active = await addRow(kim, month, 'Row Active');
  const screen = await openDataEntry(company, browser, kim, { search: `?month=${month}` });
  await screen.cell('Row Active', 'Vehicle').click();
  await company.call(`DELETE /deals/${active}`);
  await screen.note.getByText('This row is no longer in the table').waitFor();
  await screen.page.keyboard.type('Meant for the other');
  await screen.press('Enter', 'Delete');

  await screen.press('ArrowDown');
  await screen.page.keyboard.type('Meant for this');
  await screen.press('Enter');
  await expect.poll(async () => (await stored(below)).vehicle).toBe('Meant for this');
  await screen.close();
});

test('typing after a search replaced the rows affects none of the results', async () => {
  const kim = await company.addPerson({ name: 'Kim Search', permissions: CLERK });
  await addRow(kim, '2025-06', 'Race Row');
  const found = await addRow(kim, '2025-07', 'Mine Found');
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-06' });
  await screen.row('Race Row').waitFor();
  const { promise: clicked, resolve: response } = Promise.withResolvers<void>();
  await screen.page.route(/\/api\/deals\?.*search=/, async (route) => {
    await clicked;
    await route.continue();
  });
  await screen.press('Control+f');
  await screen.page.keyboard.type('Mine Fou');
  await screen.cell('Race Row', 'Vehicle').click();
  response();
  await screen.note.getByText('This row is no longer in the table').waitFor();
  await screen.row('Mine Found').waitFor();
  await screen.page.keyboard.type('Meant for Race');
  await expect.poll(() => screen.editor.count()).toBe(0);
  await screen.press('Enter');
  await expect.poll(() => screen.cell('Mine Found', 'Vehicle').textContent()).toBe('');
  await expect.poll(async () => (await stored(found)).vehicle).toBe('');
  await screen.close();
});
