import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import type { GridColumn } from '../../../grid/grid.ts';
import { stubServer } from '../../../platform/api.fixture.ts';
import { person } from '../../../platform/person.fixture.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { signIn, signOut } from '../../../platform/session.ts';
import type { DealRow } from '../deal-row.ts';
import { sumsOfRows, useLastFigures } from './DealsFigures.tsx';

describe('the figures of a month', () => {
  let release: () => void;
  beforeEach(async () => {
    const december = new Promise<void>((resolve) => {
      release = resolve;
    });
    stubServer({
      'POST /auth/login': () => ({ token: 'token', user: person({ role: 'admin' }) }),
      'POST /auth/logout': () => undefined,
      'GET /deals/summary': async ({ query }) => {
        if (query['month'] === '2026-12') await december;
        return { total: query['month'] === '2026-12' ? 7 : 424, saleAmount: 1, byStatus: [] };
      },
    });
    await signIn({ email: 'ada@example.com', password: 'a password' });
  });
  afterEach(() => {
    signOut();
    queryClient.clear();
  });

  function Bar(): ReactElement {
    const [month, setMonth] = useState('2026-11');
    const { figures, isLoading } = useLastFigures({ month, search: '', filter: null });
    return (
      <>
        <button type="button" onClick={() => setMonth('2026-12')}>
          Next
        </button>
        <output>
          {figures?.data.total} in {figures?.view.month} {isLoading && 'loading'}
        </output>
      </>
    );
  }

  test('the figures of a month stay with their month while those of another one are loaded', async () => {
    const screen = await render(
      <QueryClientProvider client={queryClient}>
        <Bar />
      </QueryClientProvider>,
    );
    const bar = () => screen.getByRole('status').element().textContent.trim();
    await expect.poll(bar).toBe('424 in 2026-11');
    await screen.getByRole('button').click();
    await expect.poll(bar).toBe('424 in 2026-11 loading');
    release();
    await expect.poll(bar).toBe('7 in 2026-12');
  });
});

describe('the sums of selected rows', () => {
  const amounts = (status: string, saleAmount: number, commission: number | null) =>
    ({ deal: { status, saleAmount, commission }, draft: undefined }) as unknown as DealRow;
  const rows = new Map([
    ['a', amounts('Deal', 100.1, 10)],
    ['b', amounts('Called', 200.2, 20)],
    ['c', amounts('Deal', 400, 40)],
    ['without rate', amounts('Deal', 5, null)],
    ['without rate, not counted', amounts('Called', 5, null)],
  ]);
  const column = (id: 'saleAmount' | 'commission'): GridColumn<DealRow> => ({
    id,
    header: id,
    type: 'currency',
    get: ({ deal }) => deal?.[id] ?? null,
  });
  const statuses = [
    { name: 'Deal', countsForCommission: true },
    { name: 'Called', countsForCommission: false },
  ] as never;
  const sums = (...columns: GridColumn<DealRow>[]) => sumsOfRows(rows, columns, ['a', 'b'], { statuses });
  const commissionOf = (...keys: string[]) =>
    sumsOfRows(rows, [column('commission')], keys, { statuses })[0]?.[1];

  test('the sums of selected rows are those of the columns that exist for the user; commission of the statuses that count', () => {
    expect(sums(column('saleAmount'), column('commission'))).toEqual([
      ['Sale', '$300.30'],
      ['Commission (Deal)', '$10.00'],
    ]);
    expect(sums(column('saleAmount'))).toEqual([['Sale', '$300.30']]);
    expect(sums()).toEqual([]);
  });

  test('the sums of selected rows are not set, and not 0, without a rate', () => {
    expect(commissionOf('without rate', 'b')).toBe('Not set');
    expect(commissionOf('a', 'without rate')).toBe('$10.00 (1 not set)');
    expect(commissionOf('without rate, not counted')).toBe('$0.00');
  });
});
