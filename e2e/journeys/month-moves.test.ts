import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** Mo's setting moves edited rows of earlier months to the current one. */

const { company, browser } = await openCompany();
const mo = await company.addPerson({
  name: 'Mo Mover',
  permissions: { ...CLERK, features: { bulkEdit: true } },
});
await company.call(`PUT /settings/user/${mo.id}/dataEntry.moveEditedToCurrentMonth`, {
  body: { value: true },
});
const read = async (id: string) => (await company.call(`GET /deals/${id}`)).body;

/** Opens a month of Mo's with these rows. Returns the screen and their ids. */
async function open(month: string, names: readonly string[]): Promise<[DataEntry, string[]]> {
  const ids: string[] = [];
  for (const customerName of names)
    ids.push((await addDeal(company, mo, company.dealershipId, { month, customerName, vehicle: 'Old' }))._id);
  const screen = await openDataEntry(company, browser, mo, { search: `?month=${month}` });
  await screen.row(names[0]!).waitFor();
  return [screen, ids];
}

test('Ctrl+Z after an edit that moved its row restores the value and the month', async () => {
  const month = '2025-04';
  const [screen, [id]] = await open(month, ['Zed Moved', 'Stays Here']);
  await screen.typeInto('Zed Moved', 'Vehicle', 'Corolla');
  await screen.press('Enter');
  await screen.row('Zed Moved').waitFor({ state: 'detached' });
  await expect.poll(async () => (await read(id!)).month).not.toBe(month);
  await screen.cell('Stays Here', 'Notes').click();
  await screen.press('Control+z');
  await screen.cell('Zed Moved', 'Vehicle').getByText('Old').waitFor();
  await expect.poll(() => read(id!)).toMatchObject({ month, vehicle: 'Old' });
  await screen.press('Control+y');
  await expect.poll(() => read(id!)).toMatchObject({ vehicle: 'Corolla' });
  // The row disappears when it loses the focus.
  await screen.cell('Stays Here', 'Notes').click();
  await screen.row('Zed Moved').waitFor({ state: 'detached' });
  await expect.poll(async () => (await read(id!)).month).not.toBe(month);
  await screen.close();
});

test('a status for many rows reports that they moved, and Undo moves them back', async () => {
  const month = '2025-06';
  const [screen, ids] = await open(month, ['One Moved', 'Two Moved']);
  const { page } = screen;
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change status…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'New status' }).click();
  await page.getByRole('option', { name: 'Called', exact: true }).click();
  await dialog.getByRole('button', { name: 'Change' }).click();
  const toast = page.getByRole('alert').filter({ hasText: /2 rows are in .+ now/ });
  // It stays for 10 s, and while the pointer is on it.
  await toast.hover();
  await screen.row('One Moved').waitFor({ state: 'detached' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  for (const name of ['One Moved', 'Two Moved'])
    await screen.cell(name, 'Status').getByText('Called').waitFor();
  for (const id of ids) await expect.poll(() => read(id)).toMatchObject({ month, status: 'Called' });
  await screen.close();
});
