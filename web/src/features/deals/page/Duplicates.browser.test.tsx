import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { stubServer } from '../../../platform/api.fixture.ts';
import { useStore } from '../../../platform/external-store.ts';
import { queryClient } from '../../../platform/query-client.ts';
import DealDialogs from '../actions/DealDialogs.tsx';
import { DataEntryContext } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import { dealDialog } from '../open-parts.ts';
import { duplicatesKey } from './deal-page.queries.ts';
import { Duplicates } from './Duplicates.tsx';

const [ann, ben, cho, dot] = Array.from(
  { length: 4 },
  (_, number) => `01900000-0000-7000-8000-0000000000d${number}`,
) as [string, string, string, string];
const at = '2026-11-20T09:00:00.000Z';
const deal: Deal = {
  _id: ann,
  month: '2026-11',
  createdAt: at,
  updatedAt: at,
  updatedByName: 'Kim Nguyen',
  sharedWith: [],
  version: 1,
  abilities: { edit: true, delete: true, email: true, share: true, transfer: true },
  customerName: 'Ann',
};
const other = (_id: string, customerName: string): ExistingDeal => ({ _id, month: '2026-11', customerName });

let duplicates: ExistingDeal[];
let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  duplicates = [other(ben, 'Ben'), other(cho, 'Cho')];
  server = stubServer({
    'GET /deals/:id/duplicates': () => ({ items: duplicates, total: duplicates.length }),
    'POST /deals/merge/preview': () => ({
      rows: [],
      choices: [],
      changes: [],
      moved: { comments: 0, attachments: 0 },
      losesAccess: false,
    }),
  });
});
afterEach(() => {
  dealDialog.set(null);
  queryClient.clear();
  vi.unstubAllGlobals();
});

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const context = {
  deals: { rows: {}, table: {}, history: {}, localVersions: {} },
} as unknown as ComponentProps<typeof DataEntryContext>['value'];
function OpenDialog(): ReactNode {
  const dialog = useStore(dealDialog);
  return dialog && <DealDialogs dialog={dialog} />;
}
const screenOf = (row: Deal, draft?: DealRow['draft']) => (
  <MantineProvider>
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <DataEntryContext value={context}>
          <Duplicates row={{ key: ann, deal: row, draft }} deal={row} />
          <OpenDialog />
        </DataEntryContext>
      </RouterContextProvider>
    </QueryClientProvider>
  </MantineProvider>
);
const open = () => page.getByRole('button', { name: 'Merge…' });
const listed = (name: RegExp) => page.getByRole('link', { name, includeHidden: true });

test('the rows of an open merge stay the same while duplicates appear and disappear', async () => {
  await render(screenOf(deal));
  await open().click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('checkbox', { name: /^Ben/ })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: /^Cho/ })).not.toBeChecked();

  duplicates = [...duplicates, other(dot, 'Dot')];
  await queryClient.invalidateQueries({ queryKey: duplicatesKey });
  await expect.element(listed(/^Dot/)).toBeInTheDocument();
  await expect.element(dialog.getByRole('checkbox', { name: /^Ben/ })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: /^Dot/ })).not.toBeInTheDocument();

  duplicates = [];
  await queryClient.invalidateQueries({ queryKey: duplicatesKey });
  await expect.element(listed(/^Ben/)).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('checkbox', { name: /^Ben/ })).toBeChecked();
  await expect.element(dialog.getByRole('button', { name: 'Merge 2 rows' })).toBeEnabled();
  const bodies = server.requests.filter(({ route }) => route === 'POST /deals/merge/preview');
  expect(bodies.map(({ body }) => (body as { others: string[] }).others)).toEqual([[ben]]);
});

test('a person who may not delete rows, or whose row is not saved yet, is told so by the button', async () => {
  const { rerender } = await render(
    screenOf({ ...deal, abilities: { ...deal.abilities, delete: 'NO_ROW_DELETE' } }),
  );
  await expect.element(open()).toHaveAccessibleDescription('You do not have permission to delete rows');
  await rerender(screenOf(deal, {} as DealRow['draft']));
  await expect
    .element(open())
    .toHaveAccessibleDescription('A row has changes that are not saved yet. Merge the rows when they are.');
});
