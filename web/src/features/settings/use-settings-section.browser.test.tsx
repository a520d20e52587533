import { errorCodes } from '@forecourt/contract/errors';
import type { Setting } from '@forecourt/contract/settings';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { sections } from './settings-values.ts';
import { settingsQuery } from './settings.queries.ts';
import { useSettingsSection } from './use-settings-section.ts';

const [NEW, USED] = sections.commission;
const setting = (settingName: string, value: number, version = 1): Setting => ({
  settingName,
  value,
  dataType: 'number',
  category: 'commission',
  description: '',
  userId: 'company',
  inherited: false,
  version,
  updatedAt: '2026-11-20T09:00:00.000Z',
});
const loaded = [setting(NEW, 5), setting(USED, 6)];

function Section(): ReactElement {
  const { form, failure } = useSettingsSection({
    section: 'commission',
    owner: 'company',
    settings: loaded,
    savedMessage: 'Saved',
  });
  return (
    <form onSubmit={form.onSubmit}>
      {([NEW, USED] as const).map((name) => (
        <input
          key={name}
          aria-label={name}
          value={String(form.values[name]?.value)}
          onChange={({ currentTarget: { value } }) => form.set(name, { own: true, value })}
        />
      ))}
      <p role="alert">{failure}</p>
      <output>{JSON.stringify(form.conflict.changes)}</output>
      <button type="submit">Save</button>
    </form>
  );
}

test('a saved value stays, although the settings were being requested before it was saved', async () => {
  const former = Promise.withResolvers<{ items: Setting[]; total: number }>();
  const rates = (rate: number) => ({ items: [setting(NEW, rate, rate), setting(USED, 6)], total: 2 });
  const server = stubServer({
    'PUT /settings/user/:userId/:name': () => setting(NEW, 8, 8),
    'GET /settings/user/:userId': () =>
      server.count('GET /settings/user/:userId') === 1 ? former.promise : rates(8),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <Section />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const before = queryClient.fetchQuery(settingsQuery('company')).catch(() => undefined);
  await page.getByLabelText(NEW).fill('8');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => server.count('PUT /settings/user/:userId/:name')).toBe(1);
  former.resolve(rates(5));
  await before;
  await expect.poll(() => server.count('GET /settings/user/:userId')).toBe(2);
  await expect.element(page.getByLabelText(NEW)).toHaveValue('8');
});

test('after a failure, the next save overwrites nothing that somebody else saved', async () => {
  const server = stubServer({
    'PUT /settings/user/:userId/:name': () => refusalOf('UNAVAILABLE'),
    'GET /settings/user/:userId': () => ({ items: [setting(NEW, 5), setting(USED, 9, 2)], total: 2 }),
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <Section />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabelText(NEW).fill('5.5');
  await save.click();
  await expect.element(page.getByText(errorCodes.UNAVAILABLE.message)).toBeVisible();
  await expect.element(page.getByLabelText(USED)).toHaveValue('9');
  await save.click();
  await expect.poll(() => server.count('PUT /settings/user/:userId/:name')).toBe(2);
  expect(server.requests.flatMap(({ params, body }) => (body ? [[params['name'], body]] : []))).toEqual([
    [NEW, { value: 5.5, version: 1 }],
    [NEW, { value: 5.5, version: 1 }],
  ]);
});
