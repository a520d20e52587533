import type { ColumnMatch } from '../../../ui/import/matched-columns.ts';
import type { TextTable } from '../../../ui/import/text-table.ts';
import type { ReadCell } from './cells.ts';
import type { ImportedField } from './fields.ts';

/** Fields whose values in a file are names of options. */
const NAMED = ['dealershipId', 'status'] as const satisfies readonly ImportedField[];
type NamedField = (typeof NAMED)[number];

/** An unknown name in a file, and the number of its lines. */
export type UnknownName = { readonly field: NamedField; readonly name: string; readonly lines: number };

/** Names are case-insensitive. */
export const nameKey = (field: ImportedField, name: string): string => `${field}:${name.toLowerCase()}`;

/** Returns unknown names, most frequent first: each is mapped once for all its lines. */
export function unknownNames(
  table: TextTable,
  match: ColumnMatch<ImportedField>,
  read: (field: ImportedField, text: string) => ReadCell,
): UnknownName[] {
  const found = NAMED.flatMap((field): UnknownName[] => {
    const column = match[field] ?? -1;
    const groups = Map.groupBy(table.lines, ({ cells }) => (cells[column] ?? '').toLowerCase());
    return [...groups.values()].flatMap((lines) => {
      const name = lines[0]?.cells[column] ?? '';
      return read(field, name).error === undefined ? [] : { field, name, lines: lines.length };
    });
  });
  return found.sort((a, b) => b.lines - a.lines);
}
