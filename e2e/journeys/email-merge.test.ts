import { addDeal, addDealership, addTemplate } from '@forecourt/server/test/builders';
import { readMail } from '@forecourt/server/test/smtp';
import { afterAll, expect, test } from 'vitest';
import { DESKTOP, openMailingCompany } from './company.fixture.ts';

const { company, browser } = await openMailingCompany();
// Hours behind the company, whose times are shown.
const context = { ...DESKTOP, timezoneId: 'Australia/Perth' };
const open = await company.openAs(browser, company.admin, context, [/status of 400/, /status of 409/]);
const page = open.page;
afterAll(() => open.close());

const dialog = () => page.getByRole('dialog');
const bottomOf = (box: { y: number; height: number } | null): number => (box ? box.y + box.height : Infinity);
const tick = (customer: string) =>
  page.getByRole('row').filter({ hasText: customer }).getByRole('checkbox').click();

test('emails about several rows are reviewed, sent in one step by the keyboard and followed until each is delivered', async () => {
  await page.goto(`${company.server.url}/data-entry`);
  for (const customer of ['Ann Example', 'Bob Example', 'Cid Example']) await tick(customer);
  await page.getByRole('gridcell', { name: 'Cid Example' }).click();
  await page.keyboard.press('Control+Enter');
  await dialog().getByRole('row').filter({ hasText: 'Cid Example' }).getByText('Ready').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Send 3 emails');
  // Excludes one of them.
  await dialog()
    .getByRole('checkbox', { name: /Bob Example/ })
    .click();
  const send = dialog().getByRole('button', { name: 'Send 2 emails' });
  await page.setViewportSize({ width: 1440, height: 480 });
  for (const inView of [send, dialog().getByText('2 of 3 ticked')]) {
    await expect.poll(async () => bottomOf(await inView.boundingBox())).toBeLessThanOrEqual(480);
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.keyboard.press('Control+Enter');
  await dialog().getByText('2 of 2 are through').waitFor();
  expect(company.mail.accepted).toHaveLength(2);
});

test('earlier emails are sent again only if ticked', async () => {
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send email', exact: true }).click();
  await dialog().getByText('2 emails went out before').waitFor();
  await dialog()
    .getByText(/Sent before: Ada Admin/)
    .first()
    .waitFor();
  await dialog().getByRole('button', { name: 'Send 1 email', exact: true }).click();
  await dialog().getByText('1 of 1 are through').waitFor();
  await dialog().getByRole('link', { name: 'Show them in Email History' }).click();
  await page.getByRole('link', { name: 'Open “About Bob Example”' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /^Open “/ }).count()).toBe(1);
});

test('one email is sent a second time on purpose, at a chosen time', async () => {
  await page.goto(`${company.server.url}/data-entry`);
  await page.getByRole('gridcell', { name: 'Ann Example' }).click();
  await page.keyboard.press('Control+Enter');
  await dialog()
    .getByText(/Ada Admin sent this on/)
    .waitFor();
  await page.setViewportSize({ width: 1440, height: 600 });
  await dialog().getByLabel('Send later').check();
  const time = dialog().getByLabel('Send at');
  const isOnTop = (field: SVGElement | HTMLElement): boolean => {
    const { x, y, width, height } = field.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height - 1) === field;
  };
  await expect.poll(() => time.evaluate(isOnTop)).toBe(true);
  const again = dialog().getByRole('button', { name: 'Send again' });
  await expect.poll(() => again.isDisabled()).toBe(true);
  await again.hover();
  await page.getByRole('tooltip', { name: 'Choose a time' }).waitFor();
  await time.fill('2020-01-01T09:00');
  await again.click();
  await dialog().getByText('Choose a time that is still to come').waitFor();
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  await time.fill(`${day}T09:00`);
  await again.click();
  const shown = day.split('-').toReversed().join('/');
  await page.getByText(`Email planned for ${shown}, 9:00 am`).waitFor();
  expect(company.mail.accepted).toHaveLength(3);
});

test('held emails wait in Email History until an administrator decides', async () => {
  const { db } = company;
  const park = { held_at: new Date().toISOString(), hold_reason: 'overdue' };
  await db.updateTable('emails').set(park).where('status', '=', 'queued').execute();
  await page.goto(`${company.server.url}/email-templates/history`);
  await page.getByText(/^1 email waits for your decision/).waitFor();
  const held = db.selectFrom('emails').select('created_at').where('status', '=', 'queued');
  const { created_at } = await held.executeTakeFirstOrThrow();
  const clock = new Intl.DateTimeFormat('en-AU', { timeStyle: 'short', timeZone: 'Australia/Sydney' });
  await page
    .getByRole('cell', { name: clock.format(new Date(created_at)) })
    .first()
    .waitFor();
  await page.getByText(/it was overdue after a long stop/).waitFor();
  await page.getByRole('button', { name: 'Call back all' }).click();
  await dialog().getByRole('button', { name: 'Call back all' }).click();
  await page.getByText('1 email called back').waitFor();
  await page.getByText(/waits for your decision/).waitFor({ state: 'detached' });
  const left = db.selectFrom('emails').select('answer').where('status', '=', 'cancelled');
  await expect
    .poll(() => left.execute())
    .toEqual([{ answer: 'Cancelled: it was overdue after a long stop.' }]);
});

test('a digest for each dealership is reviewed with its rows, sent and listed in Email History', async () => {
  const { admin, deals } = company;
  const digest = {
    name: 'Digest',
    subject: 'Deals of {{dealership}}',
    document: { blocks: [{ type: 'paragraph', content: [{ type: 'variable', key: 'deals' }] }] },
    variables: [
      variable('deals', 'Deals', 'deals.table'),
      variable('dealership', 'Dealership', 'dealership.name'),
    ],
  };
  const templateId = await addTemplate(company, admin, digest);
  const inland = await addDealership(company, admin, {
    name: 'Inland',
    defaultEmailTemplateId: templateId,
    contacts: [
      {
        name: 'Ina',
        email: 'ina@inland.example',
        templateName: 'Digest',
        includeInTo: true,
        includeInCc: false,
        active: true,
      },
    ],
  });
  await addDeal(company, admin, inland, { customerName: 'Eve Example', saleAmount: 500 });
  const sentBefore = company.mail.accepted.length;

  await page.goto(`${company.server.url}/data-entry`);
  for (const customer of ['Ann Example', 'Bob Example', 'Eve Example']) await tick(customer);
  await page.getByRole('button', { name: 'Send email', exact: true }).click();
  await dialog().getByText('One digest for each dealership').click();
  const line = (name: string) => dialog().getByRole('row').filter({ hasText: name });
  await line('Harbour New Cars').getByText('Daily has no table of deals').waitFor();
  await dialog().getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Digest' }).click();
  await line('Harbour New Cars').getByText('Ann Example, Bob Example').waitFor();
  await line('Inland').getByText('1 row').waitFor();
  await dialog().getByRole('button', { name: 'Send 2 emails' }).click();
  await dialog().getByText('2 of 2 are through').waitFor();
  const [first] = await Promise.all(
    company.mail.accepted
      .slice(sentBefore)
      .filter(({ raw }) => raw.includes('Harbour'))
      .map(readMail),
  );
  expect(first!.text).toContain('- Customer: Ann Example, Status: Entered, Amount: $1,234.50');

  await dialog().getByRole('link', { name: 'Show them in Email History' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('combobox', { name: 'Dealership' }).click();
  await page.getByRole('option', { name: 'Inland' }).click();
  await page.getByRole('link', { name: 'Open “Deals of Inland”' }).waitFor();
  await page.getByRole('link', { name: 'Open “Deals of Harbour New Cars”' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Leave this merge, show all emails' }).click();
  await page.getByRole('combobox', { name: 'Dealership' }).click();
  await page.getByRole('option', { name: 'Harbour New Cars' }).click();
  await page.getByRole('searchbox', { name: 'Search emails' }).fill('ann example');
  await page.getByRole('link', { name: 'Open “Deals of Harbour New Cars”' }).click();
  await dialog().getByRole('button', { name: 'All emails about Bob Example' }).click();
  await page.getByRole('link', { name: 'Open “About Bob Example”' }).first().waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('dealId')).toBe(deals[1]!._id);
});

test('what a colleague has sent meanwhile is reviewed again and not sent a second time', async () => {
  const { admin, dealershipId } = company;
  await addDeal(company, admin, dealershipId, { customerName: 'Fay Example' });
  const gil = await addDeal(company, admin, dealershipId, { customerName: 'Gil Example' });
  await page.goto(`${company.server.url}/data-entry`);
  for (const customer of ['Ann Example', 'Fay Example', 'Gil Example']) await tick(customer);
  await page.getByRole('button', { name: 'Send email', exact: true }).click();
  // Ann is emailed again on purpose.
  await dialog()
    .getByRole('checkbox', { name: /Ann Example/ })
    .click();
  const row = (customer: string) => dialog().getByRole('row').filter({ hasText: customer });
  await row('Gil Example').getByText('Ready').waitFor();
  const { status } = await company.call(`POST /deals/${gil._id}/email`, { body: {} });
  expect(status).toBe(200);
  const sentBefore = company.mail.accepted.length;
  await dialog().getByRole('button', { name: 'Send 3 emails' }).click();
  await dialog()
    .getByText(/has sent Daily about Gil Example before/)
    .waitFor();
  await row('Gil Example')
    .getByText(/Sent before/)
    .waitFor();
  await dialog().getByRole('button', { name: 'Send 2 emails' }).click();
  await dialog().getByText('2 of 2 are through').waitFor();
  expect(company.mail.accepted).toHaveLength(sentBefore + 2);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
});

const variable = (key: string, label: string, linkedData: string) => ({
  key,
  label,
  category: 'other',
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});
