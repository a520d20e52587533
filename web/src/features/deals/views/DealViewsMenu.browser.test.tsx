import type { SavedView } from '@forecourt/contract/deal-views';
import { errorCodes } from '@forecourt/contract/errors';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps, ReactElement } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { useOpener } from '../../../ui/use-opener.ts';
import { DataEntryContext } from '../data-entry-context.ts';
import DealViewsMenu from './DealViewsMenu.tsx';
import type { UsedView } from './use-arrangement.ts';

const id = '01900000-0000-7000-8000-0000000000d1';
const at = '2026-11-20T09:00:00.000Z';
const current = { filter: null, sort: null, group: null, columns: [] };
const view: SavedView = {
  ...current,
  _id: id,
  name: 'Loans',
  shared: false,
  owner: id,
  ownerName: 'Kim Nguyen',
  version: 1,
  createdAt: at,
  updatedAt: at,
  abilities: { edit: true, delete: true },
};
const used = { views: [view], view, changed: true, current } as Partial<UsedView> as UsedView;

function Views(): ReactElement {
  const { button, part } = useOpener('menu');
  return (
    <>
      <button type="button" {...button}>
        View
      </button>
      {part && <DealViewsMenu part={part} used={used} />}
    </>
  );
}

test('a refused change is reported, although the menu of its entry is closed by then', async () => {
  const response = Promise.withResolvers<Response>();
  stubServer({ 'PUT /deal-views/:id': () => response.promise });
  const context = { userId: id } as ComponentProps<typeof DataEntryContext>['value'];
  await render(
    <MantineProvider>
      <Notifications />
      <QueryClientProvider client={queryClient}>
        <DataEntryContext value={context}>
          <Views />
        </DataEntryContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('menuitem', { name: 'Save changes' }).click();
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  response.resolve(refusalOf('CONFLICT'));
  await expect.element(page.getByRole('alert')).toHaveTextContent(errorCodes.CONFLICT.message);
});
