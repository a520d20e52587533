import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const adas = await openDataEntry(company, browser, company.admin);
await adas.row('Ann Example').waitFor();
afterAll(() => adas.close());

/** Adds rows of Kim's and waits until the screen shows them. */
async function addRows(names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const customerName of names)
    ids.push((await addDeal(company, kim, company.dealershipId, { customerName }))._id);
  for (const name of names) await adas.row(name).waitFor();
  return ids;
}

const stored = (id: string) => company.call(`GET /deals/${id}`);
const valuesOf = async (ids: readonly string[], field: string): Promise<unknown[]> =>
  Promise.all(ids.map(async (id) => (await stored(id)).body[field]));

async function tick(names: readonly string[]): Promise<void> {
  await adas.press('Escape');
  for (const name of names) await adas.row(name).getByRole('checkbox').click();
}

async function setStatus(status: string): Promise<void> {
  const { page } = adas;
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change status' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'New status' }).click();
  await page.getByRole('option', { name: status, exact: true }).click();
  await dialog.getByRole('button', { name: 'Change' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('a status for many rows is one undo step; rows changed by others since are skipped, with a message', async () => {
  const names = ['Stella Step', 'Stan Step', 'Sia Step'];
  const ids = await addRows(names);
  await tick(names);
  await setStatus('Called');
  await expect.poll(() => valuesOf(ids, 'status')).toEqual(['Called', 'Called', 'Called']);
  await company.call(`PATCH /deals/${ids[1]}`, { token: kim.token, body: { version: 2, notes: 'Kim' } });
  await adas.cell('Stan Step', 'Notes').getByText('Kim').waitFor();

  await adas.cell('Stella Step', 'Vehicle').click();
  await adas.press('Control+z');
  await adas.page.getByText('1 row left as they are: somebody else has changed').waitFor();
  await expect.poll(() => valuesOf(ids, 'status')).toEqual(['Entered', 'Called', 'Entered']);
  await adas.cell('Stella Step', 'Status').getByText('Entered').waitFor();
  await adas.press('Control+y');
  await adas.page.getByText('Redone: 2 rows').waitFor();
  await expect.poll(() => valuesOf(ids, 'status')).toEqual(['Called', 'Called', 'Called']);
  await tick(names);
});

test('Ctrl+Z restores deleted rows', async () => {
  const names = ['Dora Step', 'Dan Step'];
  const ids = await addRows(names);
  await tick(names);
  await adas.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await adas.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await adas.row('Dora Step').waitFor({ state: 'detached' });
  await adas.cell('Ann Example', 'Vehicle').click();
  await adas.press('Control+z');
  for (const name of names) await adas.row(name).waitFor();
  await expect.poll(async () => (await stored(ids[0]!)).status).toBe(200);
});

test('the owner is a cell: chosen by name, and transferred with an audit entry', async () => {
  const [id] = await addRows(['Olive Owner']);
  await adas.typeInto('Olive Owner', 'Owner', 'Ada');
  await adas.press('Enter');
  await adas.saved();
  await adas.cell('Olive Owner', 'Owner').getByText('Ada Admin').waitFor();
  await expect.poll(async () => (await stored(id!)).body.ownerName).toBe('Ada Admin');
  await expect
    .poll(async () => (await company.auditOf(id!)).at(-1))
    .toEqual({ action: 'deal.transferred', by: company.admin.id });
  await adas.press('Control+z');
  await adas.saved();
  await expect.poll(async () => (await stored(id!)).body.ownerName).toBe('Kim Clerk');
});

test('the owner cell shows why a user may not transfer the row', async () => {
  await addRows(['Bea Blocked']);
  const kims = await openDataEntry(company, browser, kim);
  await kims.cell('Bea Blocked', 'Owner').click();
  await kims.press('F2');
  await kims.note.getByText('You do not have permission to transfer rows').waitFor();
  await kims.cell('Ann Example', 'Owner').click();
  await kims.press('F2');
  await kims.note.getByText('permission to transfer rows').waitFor();
  await kims.close();
});
