import type { Backup } from '@forecourt/contract/backups';
import { errorCodes } from '@forecourt/contract/errors';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { DeleteBackups } from './DeleteBackups.tsx';

afterEach(() => vi.unstubAllGlobals());

const backup = (name: string) => ({ name, copies: [] as Backup['copies'] }) as Backup;

/** Opens the dialog for three backups, whose deletion is answered with these refusals. */
async function open(refusals: Record<string, () => Response | undefined>) {
  const kept = new Set(['a', 'b', 'c']);
  const server = stubServer({
    'DELETE /backups/:name': ({ params, query }) => {
      const name = params['name']!;
      const refused = query['confirm'] === undefined ? refusals[name]?.() : undefined;
      if (refused) return refused;
      return kept.delete(name) ? new Response(null, { status: 204 }) : refusalOf('NOT_FOUND');
    },
  });
  const onDeleted = vi.fn<(names: readonly string[]) => void>();
  const onClose = vi.fn<() => void>();
  await render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <DeleteBackups backups={[...kept].map(backup)} onDeleted={onDeleted} onClose={onClose} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { server, kept, onDeleted, onClose };
}

const press = (name: string) => page.getByRole('button', { name }).click();

test('after a failure the others can be deleted, without those that are gone', async () => {
  let isDown = true;
  const { kept, onDeleted, onClose } = await open({
    b: () => (isDown ? refusalOf('UNAVAILABLE') : undefined),
  });
  await press('Delete');
  await expect.element(page.getByRole('alert')).toHaveTextContent(errorCodes.UNAVAILABLE.message);
  expect([...kept]).toEqual(['b', 'c']);
  expect(onDeleted).toHaveBeenLastCalledWith(['a']);
  await expect
    .poll(() =>
      page
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(['b', 'c']);
  isDown = false;
  await press('Delete');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(onDeleted).toHaveBeenLastCalledWith(['b', 'c']);
  expect([...kept]).toEqual([]);
});

test('one that needs a confirmation is asked about alone', async () => {
  const { server, onClose } = await open({
    a: () => refusalOf('BACKUP_NEEDED'),
    c: () => refusalOf('NOT_FOUND'),
  });
  await press('Delete');
  await expect
    .poll(() =>
      page
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(['a']);
  await press('Delete anyway');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(server.requests.map(({ params, query }) => [params['name'], query['confirm']])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', undefined],
    ['a', 'true'],
  ]);
});
