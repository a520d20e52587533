import { addDeal } from '@forecourt/server/test/builders';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let kims: DataEntry;
let adas: DataEntry;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
  await addDeal(company, kim, company.dealershipId, { customerName: 'Kay Own' });
  [kims, adas] = await Promise.all([
    openDataEntry(company, browser, kim),
    openDataEntry(company, browser, company.admin),
  ]);
  await Promise.all([kims, adas].map(({ row }) => row('Kay Own').waitFor()));
});
afterAll(async () => {
  await kims?.close();
  await adas?.close();
  await browser?.close();
  await company?.close();
});

const face = ({ page }: DataEntry, name: string) =>
  page.getByRole('list', { name: 'Also here' }).getByRole('img', { name });
const mark = (screen: DataEntry, ...[customer, header]: Parameters<DataEntry['cell']>) =>
  screen.cell(customer, header).getByTitle('Ada Admin is here');

test('both see who else has the month open, and not themselves', async () => {
  await Promise.all([face(kims, 'Ada Admin').waitFor(), face(adas, 'Kim Clerk').waitFor()]);
  expect(await face(kims, 'Kim Clerk').count()).toBe(0);
  await expect.poll(() => face(kims, 'Ada Admin').textContent()).toBe('AA');
  await face(kims, 'Ada Admin').hover();
  await kims.page.getByRole('tooltip', { name: 'Ada Admin' }).waitFor();
});

test('the cell that somebody is in is marked, and follows them, around what I am typing', async () => {
  await kims.typeInto('Kay Own', 'Notes', 'Half a sen');
  const before = await kims.editor.boundingBox();
  await adas.cell('Ann Example', 'Vehicle').click();
  await mark(kims, 'Ann Example', 'Vehicle').waitFor();
  await adas.press('ArrowUp');
  await mark(kims, 'Bob Example', 'Vehicle').waitFor();
  expect(await mark(kims, 'Ann Example', 'Vehicle').count()).toBe(0);
  expect(await kims.editor.boundingBox()).toEqual(before);
  await kims.page.keyboard.type('tence');
  expect(await kims.editor.inputValue()).toBe('Half a sentence');
  await kims.press('Escape');
});

test('nothing of it is announced, and a cell is called what it holds', async () => {
  await adas.cell('Cid Example', 'Customer').click();
  await mark(kims, 'Cid Example', 'Customer').waitFor();
  const announced = kims.page.locator('[aria-live], output, [role="status"], [role="alert"]');
  expect((await announced.allTextContents()).join()).not.toMatch(/Ada|AA/);
  await kims.page.getByRole('gridcell', { name: 'Cid Example', exact: true }).waitFor();
});

test('who goes to another month is gone here, and back when they are back', async () => {
  await adas.page.getByRole('button', { name: 'Previous month' }).click();
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
  await face(adas, 'Kim Clerk').waitFor({ state: 'detached' });
  expect(await kims.grid.locator('.grid-mark').count()).toBe(0);
  await adas.page.getByRole('button', { name: 'Next month' }).click();
  await face(kims, 'Ada Admin').waitFor();
});

test('who leaves the screen, or the page, is gone at once', async () => {
  await adas.page.getByRole('link', { name: 'Dashboard' }).click();
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
  await adas.page.goBack();
  await face(kims, 'Ada Admin').waitFor();
  await adas.page.goto('about:blank');
  await face(kims, 'Ada Admin').waitFor({ state: 'detached' });
});
