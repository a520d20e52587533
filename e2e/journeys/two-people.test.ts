import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, describe, expect, test } from 'vitest';
import { CONNECTION_LOST } from '../browser.ts';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** Console messages that the tests provoke: a conflict, a deleted row, a lost connection. */
const provoked = [/status of 4(04|09)/, CONNECTION_LOST];

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const [kims, adas] = await Promise.all([
  openDataEntry(company, browser, kim, { expected: provoked }),
  openDataEntry(company, browser, company.admin, { expected: provoked }),
]);
await Promise.all([kims, adas].map((screen) => screen.row('Ann Example').waitFor()));
// What a page loads after its first rows.
await kims.page.waitForFunction(() => {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  const paths = new Set(loaded);
  return ['deals/summary', 'deals/marks', 'do-not-contact'].every((path) => paths.has(`/api/${path}`));
});
await kims.page.locator('footer').getByText('3 deals').waitFor();
// Removed by a reload.
await kims.page.evaluate(() => (document.body.dataset['sameDocument'] = 'yes'));
afterAll(async () => {
  await kims.close();
  await adas.close();
});

/** Adds a row of Kim's that both see. */
async function addRow(customerName: string): Promise<string> {
  const deal = await addDeal(company, kim, company.dealershipId, { customerName, vehicle: 'Before' });
  await Promise.all([kims, adas].map((screen) => screen.row(customerName).waitFor()));
  return deal._id as string;
}

const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;

/** Changes a cell as a user does, and waits until the server has stored it. */
async function change(screen: DataEntry, ...cell: Parameters<DataEntry['typeInto']>): Promise<void> {
  await screen.typeInto(...cell);
  await screen.press('Enter');
  await screen.saved();
}

test('a change appears in the other browser at once, with the sums, without a request, around an open editor', async () => {
  const { month } = await stored(await addRow('Liv Live'));
  const requests: string[] = [];
  kims.page.on('request', (request) => {
    // The page sends its own place and drafts, and requests the choices again because of people who were just added.
    const isOfRows = request.method() === 'GET' && !request.url().endsWith('/deals/options');
    if (isOfRows) requests.push(request.url());
  });
  const { saleAmount } = (await company.call(`GET /deals/summary?month=${month}`)).body;
  await change(adas, 'Liv Live', 'Sale', '1234.5');
  const sum = `$${(saleAmount + 1234.5).toLocaleString('en-AU', { minimumFractionDigits: 2 })}`;
  await expect.poll(() => kims.page.locator('footer').textContent()).toContain(sum);
  expect(requests).toEqual([]);
  await kims.typeInto('Liv Live', 'Notes', 'Half a sen');
  await adas.typeInto('Liv Live', 'Vehicle', 'Mazda 3');
  await adas.press('Enter');
  await kims.cell('Liv Live', 'Vehicle').getByText('Mazda 3').waitFor();
  await expect.poll(() => kims.page.evaluate(() => document.body.dataset['sameDocument'])).toBe('yes');

  await expect.poll(() => kims.editor.inputValue()).toBe('Half a sen');
  await kims.page.keyboard.type('tence');
  await kims.press('Control+Enter');
  await adas.cell('Liv Live', 'Notes').getByText('Half a sentence').waitFor();
});

test('changes of two people to different cells of one row are merged', async () => {
  const id = await addRow('Mia Merge');
  await kims.page.context().setOffline(true);
  await kims.typeInto('Mia Merge', 'Deal number', 'DN-K');
  await kims.press('Enter');
  await change(adas, 'Mia Merge', 'Vehicle', 'Kia');
  await kims.page.context().setOffline(false);
  await kims.saved();
  await expect.poll(() => stored(id)).toMatchObject({ dealNumber: 'DN-K', vehicle: 'Kia' });
  await kims.cell('Mia Merge', 'Vehicle').getByText('Kia').waitFor();
  await adas.cell('Mia Merge', 'Deal number').getByText('DN-K').waitFor();
  await expect.poll(() => kims.notice.count()).toBe(0);
});

describe('the same cell', () => {
  test('a cell that two people edit names the user who changed the cell, not the last one who changed the row', async () => {
    const id = await addRow('Nora Named');
    const lee = await company.addPerson({ name: 'Lee Last', role: 'admin' });
    await kims.page.context().setOffline(true);
    await kims.typeInto('Nora Named', 'Vehicle', 'Mine');
    await kims.press('Enter');
    await change(adas, 'Nora Named', 'Vehicle', 'Theirs');
    const { version } = await stored(id);
    await company.call(`PATCH /deals/${id}`, { token: lee.token, body: { version, dealNumber: 'DN-L' } });
    await kims.page.context().setOffline(false);
    await kims.notice.getByText('Ada Admin changed Vehicle to “Theirs”').waitFor();
    await kims.notice.getByRole('button', { name: 'Take theirs' }).click();
    await kims.saved();
  });

  /**
   * Kim types into a cell that Ada changes meanwhile, of which Kim's page was notified. Returns the row's id once Kim
   * is asked.
   */
  async function collide(customerName: string): Promise<string> {
    const id = await addRow(customerName);
    await kims.typeInto(customerName, 'Vehicle', 'Mine');
    await change(adas, customerName, 'Vehicle', 'Theirs');
    await change(adas, customerName, 'Deal number', 'DN-A');
    await kims.cell(customerName, 'Deal number').getByText('DN-A').waitFor();
    await kims.press('Enter');
    await kims.notice.getByText('Ada Admin changed Vehicle to “Theirs”').waitFor();
    await kims.notice.getByText('You typed “Mine”').waitFor();
    return id;
  }

  test('a cell that two people edit is not overwritten silently: both values are shown, and the cell is marked', async () => {
    const id = await collide('Cora Asked');
    await expect.poll(() => stored(id)).toMatchObject({ vehicle: 'Theirs', version: 3 });
    const cell = kims.cell('Cora Asked', 'Vehicle');
    await expect.poll(() => cell.textContent()).toBe('Mine');
    await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true');
    await cell.click();
    await expect
      .poll(() => kims.note.textContent())
      .toBe('Ada Admin changed Vehicle to “Theirs”: keep mine (Alt+M) / take theirs (Alt+T)');
    await kims.page.getByText(/\b1 unsaved row\b/).waitFor();
    await kims.notice.getByRole('button', { name: 'Take theirs' }).click();
    await kims.saved();
  });

  test('Keep mine saves the own value of a cell that two people edit', async () => {
    const id = await collide('Kate Keep');
    await kims.notice.getByRole('button', { name: 'Keep mine' }).click();
    await kims.saved();
    await expect.poll(() => stored(id)).toMatchObject({ vehicle: 'Mine', version: 4 });
    await adas.cell('Kate Keep', 'Vehicle').getByText('Mine').waitFor();
    await expect.poll(() => kims.cell('Kate Keep', 'Vehicle').getAttribute('aria-invalid')).toBeNull();
  });

  test('a cell that two people edit is decided in the cell by keys or by the buttons, and the focus stays there', async () => {
    const mine = await collide('Kira Keys');
    await kims.cell('Kira Keys', 'Vehicle').click();
    await kims.press('Alt+m');
    await kims.saved();
    await expect.poll(() => stored(mine)).toMatchObject({ vehicle: 'Mine', version: 4 });

    const theirs = await collide('Kurt Keys');
    await kims.cell('Kurt Keys', 'Vehicle').click();
    await kims.press('Alt+t');
    await kims.cell('Kurt Keys', 'Vehicle').getByText('Theirs').waitFor();
    await kims.saved();
    await expect.poll(() => stored(theirs)).toMatchObject({ vehicle: 'Theirs', version: 3 });

    await collide('Bea Button');
    await kims.notice.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => kims.grid.evaluate((grid) => grid === document.activeElement)).toBe(true);
    await expect.poll(() => kims.cell('Bea Button', 'Vehicle').getAttribute('aria-selected')).toBe('true');
  });

  test('still shows in another month who changed what', async () => {
    await collide('Otto Other');
    await kims.page.getByRole('button', { name: 'Previous month' }).click();
    await kims.row('Otto Other').waitFor({ state: 'detached' });
    await kims.page.reload();
    await kims.notice.getByText('Ada Admin changed Vehicle').waitFor();
    await kims.notice.getByRole('button', { name: 'Discard' }).click();
    await kims.saved();
    await kims.page.getByRole('button', { name: 'Next month' }).click();
    await kims.row('Otto Other').waitFor();
  });
});

test('undo discards a value that waits for a decision, and redo restores it', async () => {
  const id = await addRow('Una Undone');
  await kims.typeInto('Una Undone', 'Vehicle', 'Mine');
  await company.call(`PATCH /deals/${id}`, { body: { version: 1, vehicle: 'Theirs' } });
  await kims.press('Enter');
  await kims.notice.getByText('You typed “Mine”').waitFor();
  const cell = kims.cell('Una Undone', 'Vehicle');
  await cell.click();
  await kims.press('ControlOrMeta+z');
  await expect.poll(() => cell.textContent()).toBe('Theirs');
  await kims.saved();
  await expect.poll(() => kims.notice.count()).toBe(0);
  await expect.poll(() => stored(id)).toMatchObject({ vehicle: 'Theirs', version: 2 });

  await kims.press('ControlOrMeta+y');
  await expect.poll(() => cell.textContent()).toBe('Mine');
  await kims.saved();
  await expect.poll(() => stored(id)).toMatchObject({ vehicle: 'Mine', version: 3 });
  await kims.press('ControlOrMeta+z');
  await expect.poll(() => cell.textContent()).toBe('Theirs');
  await kims.saved();
});

describe('a row that one of them deletes', () => {
  async function deleteRow(customerName: string): Promise<void> {
    await adas.cell(customerName, 'Customer').click();
    await adas.page.getByRole('button', { name: 'Delete' }).click();
    const question = adas.page.getByRole('dialog');
    await question.getByText(`Delete ${customerName}?`).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await adas.row(customerName).waitFor({ state: 'detached' });
  }

  test('a row that a colleague deletes disappears for the other', async () => {
    await addRow('Dee Deleted');
    await deleteRow('Dee Deleted');
    await kims.row('Dee Deleted').waitFor({ state: 'detached' });
    await expect.poll(() => kims.row('Ann Example').count()).toBe(1);
  });

  test('a row that a colleague deletes stays while the other types in it, and shows what became of the text', async () => {
    await addRow('Stan Staying');
    await kims.typeInto('Stan Staying', 'Vehicle', 'Too late');
    await deleteRow('Stan Staying');
    await expect.poll(() => kims.editor.inputValue()).toBe('Too late');
    await kims.press('Enter');
    await kims.notice.getByText('Vehicle “Too late” was not saved').waitFor();
    await expect.poll(() => kims.cell('Stan Staying', 'Vehicle').textContent()).toBe('Too late');
    await kims.notice.getByRole('button', { name: 'Discard' }).click();
    await kims.saved();
    await kims.row('Stan Staying').waitFor({ state: 'detached' });
  });
});
