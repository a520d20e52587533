import type { ImportMode } from '@forecourt/contract/import-modes';
import { expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import type { ImportedField } from './cells.ts';
import { useDecisions } from './use-decisions.ts';

const comparisonBy = (field: ImportedField) => ({
  value: field,
  label: field,
  matchBy: { column: 'customerNumber' as const },
  compared: [field],
});

test('a decision about a line of an import is dropped with an edit of its compared cell, and all with another comparison or mode', async () => {
  const edits: string[] = [];
  const form = {
    source: null,
    match: null,
    edit: (line: number, field: string) => void edits.push(`${line} ${field}`),
  };
  const { result, rerender, act } = await renderHook(
    ([mode, field]: [ImportMode, ImportedField] = ['update', 'dealNumber']) =>
      useDecisions(form, mode, comparisonBy(field)),
  );
  const decide = (line: number) => act(() => result.current.decide(line, 'ann'));
  const decided = () => [...result.current.decisions.keys()];
  await decide(2);
  await decide(3);
  await act(() => result.current.edit(2, 'dealNumber', 'D-2'));
  await act(() => result.current.edit(3, 'notes', 'Rang'));
  expect([edits, decided()]).toEqual([['2 dealNumber', '3 notes'], [3]]);
  await rerender(['update', 'customerNumber']);
  expect(decided()).toEqual([]);
  await decide(4);
  await rerender(['addOrUpdate', 'customerNumber']);
  expect(decided()).toEqual([]);
});
