import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { stubServer } from '../../../platform/api.fixture.ts';
import { matchedColumns, type ColumnMatch } from '../../../ui/import/matched-columns.ts';
import type { ImportedField } from './cells.ts';
import { useRememberedColumns } from './use-remembered-columns.ts';

afterEach(() => vi.unstubAllGlobals());

const [slow, quick] = [1, 2].map((number) => `01900000-0000-7000-8000-00000000000${number}`) as [
  string,
  string,
];
const header = ['Notes', 'Vertrag', 'Auftrag', 'Bemerkung', 'Own'];
const fields = (['notes', 'dealNumber', 'vehicle'] as const).map((field) => ({ field, label: field }));

test('the columns of the dealership that is chosen last are used, and never in place of those matched by hand, until another file', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stubServer({
    'GET /deals/import/columns/:id': async ({ params }) => {
      if (params['id'] === slow) await released;
      const dealNumber = params['id'] === slow ? 'Vertrag' : 'Auftrag';
      return { columns: { dealNumber, notes: 'Bemerkung' } };
    },
  });
  const { result, act } = await renderHook(() => {
    const [match, setMatch] = useState<ColumnMatch<ImportedField> | null>(() =>
      matchedColumns<ImportedField>(header, fields),
    );
    return { match, ...useRememberedColumns({ match, setMatch }) };
  });
  const { recallForFile } = result.current;
  await act(() => result.current.matchByHand({ ...result.current.match!, notes: 4 }));
  const late = result.current.recall(slow, header);
  await act(() => result.current.recall(quick, header));
  expect(result.current.match).toEqual({ notes: 4, dealNumber: 2, vehicle: null });
  release();
  await act(() => late);
  expect(result.current.match).toEqual({ notes: 4, dealNumber: 2, vehicle: null });
  await act(() => recallForFile(slow, header));
  expect(result.current.match).toEqual({ notes: 3, dealNumber: 1, vehicle: null });
});
