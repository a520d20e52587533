import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
test('an administrator sees who is online and when work is done, and ends a session', async () => {
  const kim = await company.addPerson({ name: 'Kim Novak' });
  const ada = await company.openAs(browser, company.admin);
  const { page } = ada;
  await page.goto(`${company.server.url}/settings/users`);
  await page.getByRole('link', { name: 'User Activity' }).click();
  await page.getByRole('heading', { name: 'User Activity', level: 1 }).waitFor();
  await page.getByText('2 people in the last 5 minutes: ').waitFor();
  await page.getByRole('listitem').filter({ hasText: '2 sign-ins' }).waitFor();
  const heat = page.getByRole('table', { name: 'Work by hour' });
  await expect.poll(() => heat.getByRole('row').count()).toBe(8);
  await page.getByText('No sign-in was refused in this time').waitFor();

  await page.getByRole('button', { name: /^End the session of Kim Novak/ }).click();
  await page.getByRole('alert').filter({ hasText: 'The session of Kim Novak has ended' }).waitFor();
  await page.getByRole('row').filter({ hasText: kim.email }).waitFor({ state: 'detached' });
  await expect.poll(async () => (await company.call('GET /auth/me', { token: kim.token })).status).toBe(401);
  await ada.close();
});
