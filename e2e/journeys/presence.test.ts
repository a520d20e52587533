import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await addDeal(company, kim, company.dealershipId, { customerName: 'Kay Own' });
const [kims, adas] = await Promise.all([
  openDataEntry(company, browser, kim),
  openDataEntry(company, browser, company.admin),
]);
await Promise.all([kims, adas].map(({ row }) => row('Kay Own').waitFor()));
afterAll(async () => {
  await kims.close();
  await adas.close();
});

const face = ({ page }: DataEntry, name: string) =>
  page.getByRole('list', { name: 'Also here' }).getByRole('img', { name });
const mark = (screen: DataEntry, ...[customer, header]: Parameters<DataEntry['cell']>) =>
  screen.cell(customer, header).getByTitle('Ada Admin is here');

test('both users see who else has the month open, and not themselves', async () => {
  await Promise.all([face(kims, 'Ada Admin').waitFor(), face(adas, 'Kim Clerk').waitFor()]);
  await expect.poll(() => face(kims, 'Kim Clerk').count()).toBe(0);
  await expect.poll(() => face(kims, 'Ada Admin').textContent()).toBe('AA');
  await face(kims, 'Ada Admin').hover();
  await kims.page.getByRole('tooltip', { name: 'Ada Admin' }).waitFor();
});

test('another user’s active cell is marked and followed, around an open editor', async () => {
  await kims.typeInto('Kay Own', 'Notes', 'Half a sen');
  const before = await kims.editor.boundingBox();
  await adas.cell('Ann Example', 'Vehicle').click();
  await mark(kims, 'Ann Example', 'Vehicle').waitFor();
  await adas.press('ArrowUp');
  await mark(kims, 'Bob Example', 'Vehicle').waitFor();
  await expect.poll(() => mark(kims, 'Ann Example', 'Vehicle').count()).toBe(0);
  await expect.poll(() => kims.editor.boundingBox()).toEqual(before);
  await kims.page.keyboard.type('tence');
  await expect.poll(() => kims.editor.inputValue()).toBe('Half a sentence');
  await kims.press('Escape');
});

test('presence is not announced, and a cell keeps its accessible name', async () => {
  await adas.cell('Cid Example', 'Customer').click();
  await mark(kims, 'Cid Example', 'Customer').waitFor();
  const announced = kims.page.locator('[aria-live], output, [role="status"], [role="alert"]');
  await expect.poll(async () => (await announced.allTextContents()).join()).not.toMatch(/Ada|AA/);
  await kims.page.getByRole('gridcell', { name: 'Cid Example', exact: true }).waitFor();
});

test('a user who opens another month disappears here, and reappears on return', async () => {
  await adas.page.getByRole('button', { name: 'Previous month' }).click();
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
  await face(adas, 'Kim Clerk').waitFor({ state: 'detached' });
  await expect.poll(() => kims.grid.locator('.grid-mark').count()).toBe(0);
  await adas.page.getByRole('button', { name: 'Next month' }).click();
  await face(kims, 'Ada Admin').waitFor();
});

test('a user who leaves the screen or the page disappears at once', async () => {
  await adas.page.getByRole('link', { name: 'Dashboard' }).click();
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
  await adas.page.goBack();
  await face(kims, 'Ada Admin').waitFor();
  await adas.page.goto('about:blank');
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
});
