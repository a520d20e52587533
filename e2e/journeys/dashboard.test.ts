import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { DESKTOP, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
const due = '2026-01-02T03:04:00.000Z';
const add = (changes: object) => addDeal(company, kim, company.dealershipId, changes);
await add({ customerName: 'Won Wilma', status: 'Deal', saleAmount: 1000 });
await add({ customerName: 'Lost Luke', status: 'No deal' });
await add({
  customerName: 'Call Carl',
  status: 'To Call',
  followUpAt: due,
  customerNumber: '(0412) 345 678',
});
const kims = await company.openAs(browser, kim);
const page = kims.page;
afterAll(() => kims.close());

const part = (name: string) => page.getByRole('region', { name, exact: true });

test('a clerk sees the month and the follow-ups that are due, and each figure opens its rows', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: '$4,703.50', exact: true }).waitFor();
  await page.getByRole('link', { name: '50.0%', exact: true }).waitFor();
  await part('To call')
    .getByRole('link', { name: /Call Carl.*\(0412\) 345 678.*Overdue/ })
    .waitFor();
  await part('Failed emails').getByText('Nothing is stuck').waitFor();

  await part('By status').getByText('Deal', { exact: true }).locator('xpath=../dd/a').first().click();
  await page.getByRole('gridcell', { name: 'Won Wilma' }).waitFor();
  await page.getByText('1 deal', { exact: true }).waitFor();
  await page.getByRole('gridcell', { name: 'Lost Luke' }).waitFor({ state: 'detached' });

  await page.goBack();
  await page.getByRole('link', { name: '$4,703.50', exact: true }).click();
  await page.getByText('6 deals').waitFor();
});

test('a colleague’s sale is shown at once', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: '$4,703.50', exact: true }).waitFor();
  await addDeal(company, company.admin, company.dealershipId, { customerName: 'New Nel', saleAmount: 0.5 });
  await page.getByRole('link', { name: '$4,704.00', exact: true }).waitFor();
});

test('of many calls the first ten are listed, with all of the month one click away, and no card is taller than its content', async () => {
  const lee = await company.addPerson({ name: 'Lee Long', permissions: { dataEntry: { canAddRows: true } } });
  const add = (changes: object) =>
    addDeal(company, lee, company.dealershipId, { customerNumber: '(0412) 345 678', ...changes });
  for (let day = 10; day < 21; day += 1)
    await add({ customerName: `Call ${day}`, followUpAt: `2026-01-${day}T03:04:00.000Z` });
  await add({ customerName: 'Call without time', status: 'To Call' });
  await add({ customerName: 'Closed', followUpAt: '2026-01-02T03:04:00.000Z', status: 'No deal' });
  await add({ customerName: 'Not waiting' });
  const { page: own, close } = await company.openAs(browser, lee);
  await own.goto(`${company.server.url}/dashboard`);
  const calls = own.getByRole('region', { name: 'To call' });
  await calls.getByText('The first 10 of 12').waitFor();
  await expect.poll(() => calls.getByRole('listitem').count()).toBe(10);
  await own.getByRole('region', { name: 'Failed emails' }).waitFor();
  for (const width of [1440, 1024, 390]) {
    await own.setViewportSize({ width, height: 900 });
    /** Cards with more than their padding below the content, and entries of more than two lines. */
    const wrong = () =>
      own.evaluate(() =>
        [...document.querySelectorAll('main section')].flatMap((card) => {
          const content = card.lastElementChild!.getBoundingClientRect();
          const space = card.getBoundingClientRect().bottom - content.bottom;
          const tall = [...card.querySelectorAll('ul li')].filter((entry) => entry.clientHeight > 60);
          return space > 20 || tall.length > 0 ? [card.textContent] : [];
        }),
      );
    await expect.poll(wrong, { message: `at ${width} px` }).toEqual([]);
  }
  await own.setViewportSize(DESKTOP.viewport);
  await calls.getByRole('link', { name: /^All of / }).click();
  await own.getByText('12 deals', { exact: true }).waitFor();
  await own.getByRole('gridcell', { name: 'Call without time' }).waitFor();
  await close();
});

test('the measures of the chart fit into its card at any width', async () => {
  const { page: own, close } = await company.openAs(browser, company.admin);
  await own.goto(`${company.server.url}/dashboard`);
  const chart = own.getByRole('region', { name: 'The last 13 months' });
  const measures = chart.getByRole('radiogroup').locator('label');
  await measures.first().waitFor();
  for (const width of [390, 600, 768, 900, 1024, 1280]) {
    await own.setViewportSize({ width, height: 800 });
    const cut = () =>
      chart.evaluate((card) => {
        const { left, right } = card.getBoundingClientRect();
        const text = document.createRange();
        const isBroken = (label: Element): boolean => {
          text.selectNodeContents(label);
          return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
        };
        return [...card.querySelectorAll('label')]
          .filter((label) => {
            const box = label.getBoundingClientRect();
            const isOutside = box.left < left || box.right > right;
            return isOutside || label.scrollWidth > label.clientWidth || isBroken(label);
          })
          .map((label) => label.textContent);
      });
    await expect.poll(cut, { message: `at ${width} px` }).toEqual([]);
  }
  await close();
});

test.each([
  ['the first steps', 'api/demo', 'By status'],
  ['the figures', 'api/dashboard', 'To call'],
  ['the calls to make', 'api/dashboard/to-call', 'By status'],
])('%s, which load late, do not move the layout', async (_what, path, earlier) => {
  const { page: own, close } = await company.openAs(browser, company.admin);
  await own.route(`**/${path}`, async (route) => {
    await own.getByRole('heading', { name: earlier }).waitFor();
    await route.continue();
  });
  await own.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await own.goto(`${company.server.url}/dashboard`);
  await own.getByRole('region', { name: 'By status' }).getByText('Deal', { exact: true }).waitFor();
  await own
    .getByRole('region', { name: 'To call' })
    .getByText('None of your customers is waiting for a call')
    .waitFor();
  await own.getByRole('region', { name: 'Getting started' }).waitFor();
  const shift = await own.evaluate(async () => {
    // Layout shifts are reported with the frame in which they happen.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return (Reflect.get(window, 'shifts') as number[]).reduce((sum, value) => sum + value, 0);
  });
  expect(shift).toBeLessThan(0.05);

  const steps = own.getByRole('region', { name: 'Getting started' });
  for (const step of ['Add the items you sell', 'Add your colleagues']) await steps.getByText(step).waitFor();
  await steps.getByRole('button', { name: 'Hide' }).click();
  await steps.waitFor({ state: 'detached' });
  await close();
});
