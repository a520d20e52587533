import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { DataEntryContext } from '../data-entry-context.ts';
import type { MergeBody } from './deal-merge.queries.ts';
import MergeRows from './MergeRows.tsx';

const [ann, ben, cho] = Array.from(
  { length: 3 },
  (_, number) => `01900000-0000-7000-8000-0000000000d${number}`,
) as [string, string, string];
const rowOf = (_id: string, customerName: string) => ({ _id, month: '2026-11', customerName });
const rows = [rowOf(ann, 'Ann'), rowOf(ben, 'Ben'), rowOf(cho, 'Cho')] as const;
const context = {
  deals: { rows: {}, table: {}, history: {}, localVersions: {} },
} as unknown as ComponentProps<typeof DataEntryContext>['value'];
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('the choices of a merge stay when the server refuses one of them, and another one is merged', async () => {
  stubServer({
    'POST /deals/merge/preview': ({ body }) => {
      const { values = {} } = body as MergeBody;
      if (values['owner'] === ben)
        return refusalOf('INSUFFICIENT_PERMISSIONS', { message: 'Dan is refused.' });
      return {
        rows: rows.map((row) => ({ ...row, version: 1 })),
        choices: [{ field: 'owner', values: ['Kim', 'Dan', null], from: values['owner'] ?? ann }],
        changes: [{ field: 'notes', before: null, after: 'Rang' }],
        moved: { comments: 0, attachments: 0 },
        losesAccess: false,
      };
    },
  });
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <DataEntryContext value={context}>
          <MergeRows rows={rows} onClose={() => undefined} />
        </DataEntryContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const owner = page.getByRole('group', { name: 'Owner' });
  const submit = page.getByRole('button', { name: 'Merge 3 rows' });
  const after = page.getByRole('region', { name: 'The row afterwards' });
  await expect.element(submit).toBeEnabled();
  await expect.element(after).toBeVisible();
  // The inactive owner of the third row is not a choice.
  expect(owner.getByRole('radio').elements()).toHaveLength(2);

  await owner.getByRole('radio', { name: 'Dan' }).click();
  await expect.element(page.getByRole('alert').getByText('Dan is refused.')).toBeVisible();
  await expect.element(owner.getByRole('radio', { name: 'Dan' })).toBeChecked();
  await expect.element(submit).toBeDisabled();
  await expect.element(after).not.toBeInTheDocument();

  await owner.getByRole('radio', { name: 'Kim' }).click();
  await expect.element(submit).toBeEnabled();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
