import { addDeal } from '@forecourt/server/test/builders';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, type OpenPage } from '../browser.ts';
import { PHONE, startCompany, type Company, type Person } from './company.fixture.ts';
import { CLERK } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let kim: Person;

/** The conflict that a test provokes. */
const CONFLICT = /status of 409/;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
/** What Ada writes meanwhile. */
const adaWrites = (id: string, body: object) => company.call(`PATCH /deals/${id}`, { body });
const ask = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words });

describe('a row that a colleague changes while its form is open on a phone', () => {
  let phone: OpenPage;
  let page: Page;
  beforeAll(async () => {
    phone = await company.openAs(browser, kim, PHONE, [CONFLICT]);
    page = phone.page;
    await page.goto(`${company.server.url}/data-entry`);
  });
  afterAll(() => phone?.close());

  /** Opens the form of a row of Kim's; Ada changes the row and adds another, and the cards behind the form show it. */
  async function meanwhile(customerName: string, changes: object): Promise<string> {
    const row = { customerName, notes: 'Before', vehicle: 'Mazda' };
    const id = (await addDeal(company, kim, company.dealershipId, row))._id as string;
    await page.getByRole('button', { name: customerName }).click();
    await page.getByRole('dialog').waitFor();
    await adaWrites(id, { version: 1, saleAmount: 77, ...changes });
    const next = `After ${customerName}`;
    await addDeal(company, company.admin, company.dealershipId, { customerName: next });
    const card = (name: string) =>
      page.locator('button').filter({ has: page.getByText(name, { exact: true }) });
    await card(customerName).getByText('$77.00').waitFor();
    await card(next).waitFor();
    return id;
  }

  test('the same field is not overwritten: Kim is asked', async () => {
    const id = await meanwhile('Fay Field', { notes: 'Ada wrote this' });
    await page.getByLabel('Notes').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await ask(page, 'Ada Admin changed Notes to “Ada wrote this”').waitFor();
    expect(await stored(id)).toMatchObject({ notes: 'Ada wrote this' });
    await ask(page, 'Ada Admin').getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await stored(id)).notes).toBe('Mine');
  });

  test('another field keeps what Ada wrote', async () => {
    const id = await meanwhile('Odo Other', { vehicle: 'Kia' });
    await page.getByLabel('Notes').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored(id)).notes).toBe('Mine');
    expect(await stored(id)).toMatchObject({ notes: 'Mine', vehicle: 'Kia', saleAmount: 77 });
  });
});
