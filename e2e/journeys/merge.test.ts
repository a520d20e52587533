import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { openCompany, PHONE } from './company.fixture.ts';
import { dataEntryOn, WIDE } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({
  name: 'Kim Clerk',
  permissions: {
    dataEntry: {
      canAddRows: true,
      canEditRows: true,
      canDeleteRows: true,
      // Without the items, about which the dialog must then ask for nothing.
      columnVisibility: {
        viewAllColumns: false,
        visibleColumns: [
          'customerName',
          'customerNumber',
          'dealershipId',
          'dealNumber',
          'vehicle',
          'status',
          'notes',
          'lastEmailedAt',
        ],
      },
    },
    features: { bulkEdit: true },
  } as never,
});
const customerNumber = '(0412) 345 678';
const add = async (customerName: string, values: object = {}): Promise<string> =>
  (await addDeal(company, kim, company.dealershipId, { customerName, ...values }))._id;
const leeId = await add('Lee Hart', { vehicle: 'Ute', notes: 'Rang' });
const twinId = await add('Leigh Hart', { customerNumber, vehicle: 'Van', dealNumber: 'D-7' });
await company.call(`POST /deals/${twinId}/comments`, {
  token: kim.token,
  body: { body: 'Asked for a tint', mentions: [] },
});
await add('Lou Hart', { dealNumber: 'D-7' });
// The page of a merged row leads on after a 404.
const { page, close } = await company.openAs(browser, kim, WIDE, [/status of 404/, /ERR_FAILED/]);
const { promise: firstIsSaved, resolve: goOn } = Promise.withResolvers<void>();
await page.route('**/data-entry-more-*.js', async (route) => {
  await firstIsSaved;
  await route.continue();
});
await page.goto(`${company.server.url}/data-entry`);
const screen = dataEntryOn(page, close);
afterAll(() => screen.close());
const picture = async (name: string): Promise<void> => {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

test('a clerk who types the phone of another row, even before the marks are loaded, sees a mark with a link to it, which does not block the cell', async () => {
  await screen.typeInto('Lee Hart', 'Phone', '0412345678');
  await screen.press('Enter');
  await screen.saved();
  goOn();
  const link = screen.cell('Lee Hart', 'Phone').getByRole('link', { name: /^Same phone as Leigh Hart/ });
  await link.waitFor();
  await expect.poll(() => screen.cell('Lee Hart', 'Phone').textContent()).toContain('(0412) 345 678');
  await picture('warning');
  await link.click();
  await page.getByRole('heading', { name: 'Leigh Hart', level: 1 }).waitFor();
});

test('a clerk merges a duplicate from the page of a deal, whose address then opens the row that stays, and undoes the merge', async () => {
  const dialog = page.getByRole('dialog', { name: 'Merge rows' });
  const leigh = page.getByRole('region', { name: 'Leigh Hart' });
  await leigh.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Merge…' }).click();
  await dialog.getByRole('button', { name: 'Merge 2 rows' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('region', { name: 'Possible duplicates' })
    .getByRole('button', { name: 'Merge…' })
    .click();
  const others = dialog.getByRole('group', { name: 'Rows that are merged into it' });
  await dialog.getByRole('button', { name: 'Merge 2 rows' }).waitFor();
  await others.getByRole('checkbox', { checked: true }).uncheck();
  await expect.poll(() => dialog.getByRole('button', { name: 'Merge rows' }).isDisabled()).toBe(true);
  await others.getByRole('checkbox', { name: 'Lee Hart' }).check();
  await dialog.getByRole('group', { name: 'Row that stays' }).getByText('Lee Hart').click();
  const choice = dialog.getByRole('group', { name: 'Vehicle' });
  await expect.poll(() => choice.getByRole('radio', { name: 'Ute' }).isChecked()).toBe(true);
  await choice.getByRole('radio', { name: 'Van' }).check();
  await dialog.getByText('Moves to the row: 1 comment').waitFor();
  await picture('merge-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('merge-dark');
  await page.setViewportSize(PHONE.viewport);
  await picture('merge-phone');
  await page.setViewportSize(WIDE.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
  await dialog.getByRole('button', { name: 'Merge 2 rows' }).click();
  await page.getByRole('heading', { name: 'Lee Hart', level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toContain(leeId);
  await page.getByText('Asked for a tint').waitFor();
  await picture('merged');
  await page.keyboard.press('Escape');
  await expect.poll(() => screen.cell('Lee Hart', 'Vehicle').textContent()).toBe('Van');
  await expect.poll(() => screen.row('Leigh Hart').count()).toBe(0);
  await screen.cell('Lee Hart', 'Vehicle').click();
  await screen.press('ControlOrMeta+z');
  await screen.row('Leigh Hart').waitFor();
  await expect.poll(() => screen.cell('Lee Hart', 'Vehicle').textContent()).toBe('Ute');
});

test('a clerk merges ticked rows from the menu, and what was typed in the merged row becomes a conflict in the row that stays', async () => {
  for (const name of ['Lee Hart', 'Leigh Hart'])
    await page.getByRole('checkbox', { name: new RegExp(`^Select ${name}`) }).check();
  await screen.cell('Lee Hart', 'Customer').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Merge rows…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge rows' });
  await dialog.getByRole('button', { name: 'Merge 2 rows' }).click();
  await expect.poll(() => screen.row('Leigh Hart').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await page.getByText('Separated: 2 rows').waitFor();
  await screen.row('Leigh Hart').waitFor();
  await page.route('**/api/deals/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await screen.typeInto('Leigh Hart', 'Vehicle', 'Coupe');
  await screen.press('Enter');
  await expect.poll(() => screen.cell('Leigh Hart', 'Vehicle').textContent()).toBe('Coupe');
  const merged = await company.call('POST /deals/merge', {
    token: kim.token,
    body: { survivor: leeId, others: [twinId] },
  });
  expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  await page.unroute('**/api/deals/**');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await screen.notice.getByText(/Coupe/).waitFor();
  await picture('conflict');
  await screen.notice.getByRole('button', { name: 'Keep mine' }).first().click();
  await expect.poll(() => screen.cell('Lee Hart', 'Vehicle').textContent()).toBe('Coupe');
  await screen.saved();
  await expect.poll(() => screen.row('Leigh Hart').count()).toBe(0);
});
