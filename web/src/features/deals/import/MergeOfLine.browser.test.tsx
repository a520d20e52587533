import type { Deal } from '@forecourt/contract/deals';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ComponentProps, type ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { person } from '../../../platform/person.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { signIn, signOut } from '../../../platform/session.ts';
import { DataEntryContext } from '../data-entry-context.ts';
import { MergeOfLine } from './MergeOfLine.tsx';

const KIM = person({ role: 'admin' });
const [ann, ben, cho, gone, set] = Array.from(
  { length: 5 },
  (_, number) => `01900000-0000-7000-8000-0000000000d${number}`,
) as [string, string, string, string, string];
const at = '2026-11-20T09:00:00.000Z';
const dealOf = (_id: string, customerName: string, abilities: Partial<Deal['abilities']> = {}): Deal => ({
  _id,
  month: '2026-11',
  createdAt: at,
  updatedAt: at,
  updatedByName: 'Kim Nguyen',
  sharedWith: [],
  version: 1,
  abilities: { edit: true, delete: true, email: true, share: true, transfer: true, ...abilities },
  customerName,
});

let deals: Map<string, Deal>;
let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  deals = new Map(
    [
      dealOf(ann, 'Ann'),
      dealOf(ben, 'Ben', { delete: 'NO_ROW_DELETE' }),
      dealOf(cho, 'Cho', { edit: 'NOT_ROW_OWNER' }),
    ].map((deal) => [deal._id, deal]),
  );
  server = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: KIM }),
    'POST /auth/logout': () => undefined,
    'GET /deals/:id': ({ params }) => deals.get(params['id']!) ?? refusalOf('NOT_FOUND'),
    'POST /deals/merge/preview': () => ({
      rows: [],
      choices: [],
      changes: [],
      moved: { comments: 0, attachments: 0 },
      losesAccess: false,
    }),
    'POST /deals/merge': ({ body }) => {
      const { survivor, others } = body as { survivor: string; others: string[] };
      return { changeSetId: set, survivor, others };
    },
    'POST /changes/:id/revert': () => ({ changeSetId: set, reverted: 2, left: [], refused: [] }),
  });
});
afterEach(() => {
  notifications.clean();
  signOut();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const context = {
  deals: {
    rows: { get: () => undefined },
    table: { keyOf: (id: string) => id, remove: () => undefined },
    draftSync: { draftOf: () => undefined },
    history: { record: () => undefined },
    localVersions: {},
  },
} as unknown as ComponentProps<typeof DataEntryContext>['value'];
let changes: (number | undefined)[];

/** As in the preview: after a merge the line has one row. */
function Line({ rows }: { rows: ComponentProps<typeof MergeOfLine>['rows'] }): ReactElement {
  const [isMerged, setMerged] = useState(false);
  return (
    <div role="region" aria-label="Preview" tabIndex={-1}>
      {!isMerged && (
        <MergeOfLine
          line={3}
          rows={rows}
          onChange={(line) => {
            changes.push(line);
            setMerged(line !== undefined);
          }}
        />
      )}
    </div>
  );
}

async function open(ids: readonly string[]): Promise<void> {
  changes = [];
  await signIn({ email: 'kim@example.com', password: 'a password' });
  await render(
    <MantineProvider>
      <Notifications />
      <QueryClientProvider client={queryClient}>
        <DataEntryContext value={context}>
          <Line rows={ids.map((_id) => ({ _id, month: '2026-11' }))} />
        </DataEntryContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await button('Merge these rows of line 3…').click();
}
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a merge from a line of an import merges the rows that the person may change, and the line looks for its row again', async () => {
  await open([ann, ben, cho, gone]);
  // `gone` was deleted after the preview, so the line looks for its rows again.
  await expect.poll(() => changes).toEqual([undefined]);
  const survivors = page.getByRole('group', { name: 'Row that stays' });
  await expect.element(survivors.getByRole('radio', { name: /^Ben/ })).toBeChecked();
  await expect.element(survivors.getByRole('radio', { name: /^Ann/ })).toBeVisible();
  await expect.element(survivors.getByRole('radio', { name: /^Cho/ })).not.toBeInTheDocument();
  await button('Merge 2 rows').click();
  await expect.poll(() => changes).toEqual([undefined, 3]);
  expect(server.requests.find(({ route }) => route === 'POST /deals/merge')?.body).toMatchObject({
    survivor: ben,
    others: [ann],
  });
  await expect.element(page.getByRole('region', { name: 'Preview' })).toHaveFocus();
  await button('Undo').click();
  await expect.poll(() => changes).toEqual([undefined, 3, undefined]);
});

test('Merge these rows at a line of an import opens no dialog if the person may change only one of its rows, and says why', async () => {
  await open([ann, cho]);
  await expect
    .element(page.getByText('You need permission to change at least two of these rows.'))
    .toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(changes).toEqual([]);
});
