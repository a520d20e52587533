import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { addDeal } from '@forecourt/server/test/builders';
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, dataEntryOn, WIDE } from './data-entry.fixture.ts';

/** What `bench -- people` sends for each action of a person, as `METHOD /path?query` with placeholders. */
const simulated = JSON.parse(
  readFileSync(new URL('../../bench/people/page-requests.json', import.meta.url), 'utf8'),
) as Record<string, string[]>;

const { company, browser } = await openCompany();

/** Returns a request as the simulation names it. */
function nameOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url());
  const values: Record<string, string> = { month: '{month}', search: '{search}', cursor: '{cursor}' };
  const query = [...searchParams]
    .map(([name, value]) => `${name}=${values[name] ?? (name === 'filter' ? '{filter}' : value)}`)
    .toSorted()
    .join('&');
  const path = pathname.replace(/^\/api/, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}');
  return `${request.method()} ${path}${query === '' ? '' : `?${query}`}`;
}

test('the people of the benchmark send at least what a page sends that starts, sees changes, types and searches', async () => {
  await company.addMany(300);
  const person = await company.addPerson({ name: 'Rae Recorded', permissions: CLERK });
  const own = await addDeal(company, person, company.dealershipId, {
    customerName: 'Olive Own',
    status: 'Deal',
    saleAmount: 100,
  });
  const byColleague = (customerName: string) =>
    addDeal(company, company.admin, company.dealershipId, { customerName });
  const { page, close } = await company.openAs(browser, person, WIDE);
  const screen = dataEntryOn(page, close);
  const footer = () => page.locator('footer').textContent();
  let requests: string[] = [];
  page.on('request', (request) => {
    // The simulation has its own stream and position.
    if (/\/api\/(?!events)/.test(request.url())) requests.push(nameOf(request));
  });
  /** Waits for the requests of an action, and fails for others and for more of them. */
  const during = async (action: string, act: () => Promise<unknown>) => {
    await act();
    await expect.poll(() => simulated[action]!.filter((name) => !requests.includes(name))).toEqual([]);
    // A slow page repeats requests of its start that are older than two seconds.
    if (action === 'start') requests = [...new Set(requests)];
    expect(requests.toSorted(), action).toEqual(simulated[action]!.toSorted());
    requests = [];
  };
  await page.clock.install();
  // The changes of the set-up are recent ones, which the page would answer as those of colleagues.
  await page.route(/\/api\/events/, (route) =>
    route.continue({ url: route.request().url().replace('?recent=1', '') }),
  );
  await during('start', async () => {
    await page.goto(`${company.server.url}/data-entry`);
    await expect.poll(footer).toContain('304 deals');
  });
  if (process.env['LONG_TESTS']) await during('minute', () => setTimeout(62_000));
  await during('colleague', async () => {
    const body = { version: 1, saleAmount: 5, vehicle: 'Kia' };
    await company.call(`PATCH /deals/${own._id}`, { body });
    await byColleague('Nora New');
    await screen.cell('Olive Own', 'Vehicle').getByText('Kia').waitFor();
    await expect.poll(footer).toContain('305 deals');
  });
  await during('change', async () => {
    await screen.typeInto('Olive Own', 'Notes', 'Rang back');
    await screen.press('Control+Enter');
    await screen.saved();
  });
  await during('add', async () => {
    await screen.press('Alt+n');
    await screen.typeCells(['Nina Night', '0412345678', 'Harb']);
    await screen.press('Enter');
    await expect.poll(footer).toContain('306 deals');
  });
  // Figures that rest after the changes are due, and not during the search.
  await page.clock.fastForward(2000);
  await during('search', async () => {
    await page.getByRole('searchbox').fill('example');
    await expect.poll(footer).toContain('3 deals');
  });
  await during('colleagueWhileSearching', () => byColleague('Sue Example'));
  await close();
});
