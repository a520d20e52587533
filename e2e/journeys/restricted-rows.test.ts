import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { PHONE, openCompany, type Person } from './company.fixture.ts';
import { CLERK, editOnPage, openDataEntry } from './data-entry.fixture.ts';

/** Users with restricted rows are not offered a new row that they could not see. */

const { company, browser } = await openCompany();
const personWith = (name: string, columnVisibility: object): Promise<Person> =>
  company.addPerson({
    name,
    permissions: {
      dataEntry: { ...CLERK.dataEntry, columnVisibility },
    } as never,
  });
const FORBIDDEN = [/status of 403/];

test('without the column Customer no new row is offered, and the bar shows why', async () => {
  const kim = await personWith('Kim Columns', {
    viewAllColumns: false,
    visibleColumns: ['status', 'dealNumber', 'vehicle', 'notes'],
  });
  const screen = await openDataEntry(company, browser, kim);
  await screen.page.getByText('New ones need a customer and a dealership').waitFor();
  await expect.poll(() => screen.page.getByRole('button', { name: 'New row' }).count()).toBe(0);
  await screen.close();
});

test('on a phone a row with a hidden customer is saved', async () => {
  const pat = await personWith('Pat Phone', {
    viewAllColumns: false,
    visibleColumns: ['status', 'dealNumber', 'vehicle', 'notes'],
  });
  const { _id } = await addDeal(company, company.admin, company.dealershipId, { customerName: 'Unseen Ann' });
  await company.call(`PUT /deals/${_id}/sharing`, {
    body: { sharedWith: [{ userId: pat.id, permissions: 'write' }] },
  });
  const { page, close } = await openDataEntry(company, browser, pat, { context: PHONE });
  await page.getByRole('list', { name: 'Deals' }).getByRole('button').first().click();
  await editOnPage(page, 'Vehicle', 'Corolla');
  await expect.poll(async () => (await company.call(`GET /deals/${_id}`)).body.vehicle).toBe('Corolla');
  await close();
});

test('an expired date range offers no new row', async () => {
  const kim = await personWith('Kim Past', { dateRangeEnd: '2026-01-01' });
  const screen = await openDataEntry(company, browser, kim);
  await screen.page.getByText('New ones would be hidden from you by their date').waitFor();
  await expect.poll(() => screen.page.getByRole('button', { name: 'New row' }).count()).toBe(0);
  await screen.close();
});

test('a row with a status hidden from its user is refused with the reason and what to do', async () => {
  const { statuses } = (await company.call('GET /deals/options')).body;
  const { _id } = statuses.find(({ isDefault }: { isDefault: boolean }) => isDefault);
  const kim = await personWith('Kim Status', { restrictedStatuses: [_id] });
  const screen = await openDataEntry(company, browser, kim, { expected: FORBIDDEN });
  await screen.page.getByRole('button', { name: 'New row' }).waitFor();
  await screen.press('Alt+n');
  await screen.typeCells(['Noa New', '0412345678', 'Harb']);
  await screen.press('Enter');
  await screen.notice.getByText('What you typed is kept here. Choose another status').waitFor();
  await screen.close();
});
