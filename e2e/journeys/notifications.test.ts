import { afterAll, expect, test } from 'vitest';
import { willShow } from '../browser.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Novak' });
const kims = await company.openAs(browser, kim, DESKTOP, [/status of 404/]);
const page = kims.page;
await page.goto(`${company.server.url}/changelog`);
afterAll(() => kims.close());

const bell = (name: string) => page.getByRole('button', { name, exact: true });

test('a shared row notifies at once, the notification opens the row and is read then', async () => {
  await bell('Notifications').waitFor();
  const [ann, bob] = company.deals;
  const sharedWith = [{ userId: kim.id, permissions: 'view' }];
  await company.call(`PUT /deals/${ann!._id}/sharing`, { body: { sharedWith } });
  await bell('Notifications, 1 unread').waitFor();
  await company.call(`PUT /deals/${bob!._id}/sharing`, { body: { sharedWith } });
  await bell('Notifications, 2 unread').click();
  await page.getByRole('link', { name: /Ada Admin shared Ann Example with you/ }).click();
  await page.getByRole('heading', { name: 'Ann Example', level: 1 }).waitFor();
  await bell('Notifications, 1 unread').click();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell('Notifications').waitFor();
});

test('a finished export is downloaded from its notification, or the reason why not is shown', async () => {
  const { body } = await company.call('POST /exports', { token: kim.token, body: { kind: 'deals' } });
  await page.goto(`${company.server.url}/data-entry`);
  await bell('Notifications, 1 unread').click();
  const entry = page.getByRole('button', { name: /Your export is ready/ });
  const [download] = await Promise.all([page.waitForEvent('download'), entry.click()]);
  await expect.poll(() => download.suggestedFilename()).toBe(body.name);
  await page.route('**/api/exports/*/download-ticket', async (route) => {
    // The list removes the entry as soon as it is refreshed, so it is deleted after the press.
    await company.call(`DELETE /exports/${body._id}`);
    await route.continue();
  });
  await bell('Notifications').click();
  const shown = willShow(page, 'This export was deleted');
  await entry.click();
  await shown;
  await expect.poll(() => page.url()).toContain('/data-entry');
});
