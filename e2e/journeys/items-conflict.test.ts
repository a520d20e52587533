import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** The conflict that a test provokes. */
const CONFLICT = /status of 409/;

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
/** A change by Ada meanwhile. */
const adaWrites = (id: string, body: object) => company.call(`PATCH /deals/${id}`, { body });

describe('items that a colleague changes while their dialog is open', () => {
  let kims: DataEntry;
  let tint: string;
  let dashCam: string;
  beforeAll(async () => {
    const add = async (name: string): Promise<string> =>
      (await company.call('POST /item-configurations', { body: { name, price: 100 } })).body._id;
    [tint, dashCam] = [await add('Tint'), await add('Dash cam')];
    kims = await openDataEntry(company, browser, kim, { expected: [CONFLICT] });
  });
  afterAll(() => kims?.close());

  test('items that a colleague changes while their dialog is open are not overwritten: Kim sees both and chooses', async () => {
    const items = [{ itemId: tint, quantity: 1 }];
    const customerName = 'Ida Items';
    const id = (await addDeal(company, kim, company.dealershipId, { customerName, items }))._id as string;
    await kims.cell(customerName, 'Items').getByText('Tint').waitFor();
    await kims.cell(customerName, 'Items').click();
    await kims.press('Alt+Enter');
    const dialog = kims.page.getByRole('dialog');
    await dialog.waitFor();
    const theirs = [...items, { itemId: dashCam, quantity: 3 }];
    await adaWrites(id, { version: 1, items: theirs });
    // The cell behind the dialog shows Ada's items, the dialog still those that Kim began with.
    await expect.poll(() => kims.cell(customerName, 'Items').textContent()).toBe('Tint, Dash cam ×3');
    await dialog.getByLabel('Quantity of Tint').fill('2');
    await dialog.getByRole('button', { name: 'Save items' }).click();

    await kims.notice.getByText('Ada Admin changed Items to “Tint, Dash cam ×3”').waitFor();
    await expect.poll(async () => (await stored(id)).items).toMatchObject(theirs);
    await kims.notice.getByRole('button', { name: 'Take theirs' }).click();
    await kims.saved();
    await expect.poll(() => kims.cell(customerName, 'Items').textContent()).toBe('Tint, Dash cam ×3');
  });
});
