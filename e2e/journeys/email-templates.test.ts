import { afterAll, expect, test } from 'vitest';
import { hasKeys, willShow } from '../browser.ts';
import { DESKTOP, openMailingCompany } from './company.fixture.ts';

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const saved = (subject: string, ...paragraphs: string[]) => ({
  name: 'Daily',
  subject,
  status: 'active',
  document: { blocks: paragraphs.map(paragraph) },
  variables: [],
});
const save = (body: object) => company.call(`PUT /email-templates/${company.templateId}`, { body });

const { company, browser } = await openMailingCompany({ UNDO_SEND_SECONDS: '600' });
await save(saved('A sale', 'Dear team, thank you for the sale.', 'Regards'));
await save(saved('Another sale', 'Dear all, thank you for the deal.', 'Regards'));
// Without Playwright's colour scheme, which would apply to every frame.
const options = { ...DESKTOP, colorScheme: null };
const open = await company.openAs(browser, company.admin, options, [
  /status of 409/,
  /status of 503 .*\/email\/logs\//,
]);
const page = open.page;
afterAll(() => open.close());

const dialog = () => page.getByRole('dialog');
const marked = (side: 'Before' | 'After', tag: 'del' | 'ins') =>
  dialog().getByRole('group', { name: side }).locator(tag).allTextContents();

test('the list shows the usage of each template and opens the dealerships that use it', async () => {
  await page.goto(`${company.server.url}/email-templates`);
  await page.getByRole('button', { name: '1 dealership. Where Daily is used' }).click();
  await dialog().getByText('Default template · For Tess To, Cam Copy').waitFor();
  await dialog().getByText('Nothing was sent with it yet.').waitFor();
  await dialog().getByRole('link', { name: 'Harbour New Cars' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Dealership' });
  await form.getByRole('group', { name: 'Contact 1' }).waitFor();
  await hasKeys(form);
  await page.keyboard.press('Escape');
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a used template cannot be deleted, and the message shows where it is used', async () => {
  await page.goto(`${company.server.url}/email-templates`);
  await page.getByRole('button', { name: 'Delete Daily' }).click();
  await dialog().getByText('“Daily” is in use and cannot be deleted.').waitFor();
  await dialog().getByRole('link', { name: 'Harbour New Cars' }).waitFor();
  await expect.poll(() => dialog().getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
});

test('its emails are counted and link to the history', async () => {
  await company.call(`POST /email-templates/${company.templateId}/send`, {
    body: { dealId: company.deals[0]!._id },
  });
  await page.goto(`${company.server.url}/email-templates/${company.templateId}/edit`);
  await page.getByRole('button', { name: 'Where it is used' }).click();
  await dialog().getByText('1 email still waits. What waits goes out as it was written.').waitFor();
  await dialog().getByRole('link', { name: 'Show in Email History' }).click();
  await page.getByRole('row').filter({ hasText: 'Queued' }).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Daily');
});

test('two versions are compared side by side', async () => {
  await page.goto(`${company.server.url}/email-templates/${company.templateId}/edit`);
  await page.getByRole('button', { name: 'Versions' }).click();
  await dialog().getByText('by Ada Admin').first().waitFor();
  await dialog().getByRole('button', { name: 'Compare version 2' }).click();
  await dialog().getByText('Removed words are crossed out').waitFor();
  await expect.poll(() => marked('Before', 'del')).toEqual(['A', 'team', 'sale']);
  await expect.poll(() => marked('After', 'ins')).toEqual(['Another', 'all', 'deal']);
});

test('a version overtaken by another user’s save is restored after that save was shown', async () => {
  await save(saved('A third', 'Dear all'));
  await dialog().getByRole('button', { name: 'Restore version 2' }).click();
  await dialog().getByText('Somebody else has saved this template in the meantime').waitFor();
  await dialog().getByRole('button', { name: 'Restore version 2' }).click();
  await page.getByText('Version 2 is back, saved as a new version').waitFor();
  await dialog().getByText('Brings back version 2').waitFor();
  await hasKeys(dialog());
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('A sale');
  await page.getByText('Dear team, thank you for the sale.').waitFor();
  await page.getByText('All changes saved').waitFor();
});

test('a restore keeps unsaved text', async () => {
  await page.getByRole('textbox', { name: 'Subject' }).fill('Being written');
  await page.getByRole('button', { name: 'Versions' }).click();
  await dialog().getByRole('button', { name: 'Compare version 3' }).click();
  const button = dialog().getByRole('button', { name: 'Restore version 3' });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  await button.hover();
  await page.getByRole('tooltip', { name: 'Save your changes or leave without saving first' }).waitFor();
  await page.keyboard.press('Escape');
  const compare = dialog().getByRole('button', { name: 'Compare version 3' });
  await expect.poll(() => compare.evaluate((node) => node === document.activeElement)).toBe(true);
});

test('a template is previewed with one deal after another, by button and by key, and with the worst case', async () => {
  await page.goto(`${company.server.url}/email-templates/${company.templateId}/edit`);
  await page.getByRole('textbox', { name: 'Subject' }).fill('About {{customerName}}');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Customer name' }).click();
  await page.getByText('Preview', { exact: true }).click();
  const subject = page.getByRole('region', { name: 'The message' });
  await subject.getByText('About Cid Example').waitFor();
  const back = page.getByRole('button', { name: 'Previous deal (Alt+Page Up)' });
  await expect.poll(() => back.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Next deal (Alt+Page Down)' }).click();
  await subject.getByText('About Bob Example').waitFor();
  await page.keyboard.press('Alt+PageDown');
  await subject.getByText('About Ann Example').waitFor();
  await page.keyboard.press('Alt+PageUp');
  await subject.getByText('About Bob Example').waitFor();
  await page.getByText('Longest values').click();
  await subject.getByText(/About Wolfeschlegelsteinhausenbergerdorff/).waitFor();
  await page.getByText('Empty values').click();
  await subject.getByText('About', { exact: true }).waitFor();
  await subject.getByText('No value, left blank: Customer name').waitFor();
});

test('a message is previewed in a light and in a dark mail program, independent of the theme of page and computer', async () => {
  const body = page.frameLocator('iframe[title="The message"]').locator('body');
  const ink = () => body.evaluate((node) => getComputedStyle(node).color);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).toBe('rgb(0, 0, 0)');
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(ink).toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect
    .poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
    .toBe(false);
  await expect.poll(ink).toBe('rgb(255, 255, 255)');
});

test('a test is sent to its user once the preview is saved, and its result is shown after lost responses', async () => {
  // Each change of the message is requested once; all of these responses are lost.
  const lost = {
    status: 503,
    contentType: 'application/json',
    body: '{"code":"UNAVAILABLE","message":"Busy"}',
  };
  await page.route('**/api/email/logs/*', (route) => route.fulfill(lost), { times: 4 });
  const send = page.getByRole('button', { name: 'Send test to me' });
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Control+s');
  await page.getByText('All changes saved').waitFor();
  const result = willShow(page, `Email sent to ${company.admin.email}`);
  await send.click();
  await result;
  expect(company.mail.accepted.map(({ envelope }) => envelope.to)).toEqual([[company.admin.email]]);
});

test('two braces in a new template list every field, and saving leaves nothing unsaved', async () => {
  await page.goto(`${company.server.url}/email-templates/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Sold ');
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('Sold today ');
  await subject.press('End');
  await page.keyboard.type('{{Customer n');
  await page.getByRole('option', { name: 'Customer name' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => subject.inputValue()).toBe('Sold today {{customerName}}');
  await page.keyboard.type(' {{x9');
  await page.keyboard.press('Escape');
  await page.getByText('Subject: {{x9 is not complete: a variable is written as {{key}}').waitFor();
  for (let typed = 0; typed < 5; typed += 1) await page.keyboard.press('Backspace');
  await page.getByText('Before this template can be active').waitFor({ state: 'detached' });
  const body = page.getByRole('textbox', { name: 'Message' });
  await body.click();
  await page.keyboard.type('Bought: {{items');
  await page.getByRole('option', { name: 'Table of items with prices' }).waitFor();
  await page.keyboard.press('Enter');
  await body.getByTitle('{{items}}').waitFor();
  await page.keyboard.type(' by {{Rego number');
  await page.getByRole('option', { name: 'Rego number' }).click();
  await body.getByTitle('{{regoNumber}}').waitFor();
  await page.getByRole('button', { name: 'Edit variable Rego number' }).click();
  await dialog().getByRole('textbox', { name: 'Default value' }).fill('unknown ');
  await dialog().getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Insert variable into subject' }).click();
  await page.getByRole('menuitem', { name: 'Number of deals' }).click();
  await page.keyboard.type(' ');
  await page.getByText('Active', { exact: true }).click();
  await page.keyboard.press('Control+s');
  await page.getByText('All changes saved').waitFor();
  await page.waitForURL(/\/edit$/);
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue())
    .toBe('Sold today {{customerName}}{{dealCount}}');
});

test('a draft used by a dealership is named in its table, its form and the editor', async () => {
  await save({ ...saved('A sale', 'Dear all'), status: 'draft' });
  await page.goto(`${company.server.url}/settings/dealerships`);
  const row = page.getByRole('row').filter({ hasText: 'Harbour New Cars' });
  await row.getByText('Draft: cannot be sent').waitFor();
  await row.getByRole('button', { name: /^Edit/ }).click();
  await dialog().getByText('Emails to this dealership cannot be sent until it is active.').waitFor();
  const field = dialog().getByRole('combobox', { name: 'Default email template' });
  await expect.poll(() => field.inputValue()).toBe('Daily (draft)');
  await page.keyboard.press('Escape');
  await page.goto(`${company.server.url}/email-templates/${company.templateId}/edit`);
  await page.getByText('No email is sent with it while it is a draft.').waitFor();
});
