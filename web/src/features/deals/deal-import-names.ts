import type { ColumnMatch } from '../../ui/import/matched-columns.ts';
import type { TextTable } from '../../ui/import/text-table.ts';
import type { ReadCell } from './deal-import-cells.ts';
import type { ImportedField } from './deal-import-fields.ts';

/** The fields of which a file says names that people choose from a list. */
const NAMED = ['dealershipId', 'status'] as const satisfies readonly ImportedField[];
type NamedField = (typeof NAMED)[number];

/** A name of a file that is not known here, and how many lines say it. */
export type UnknownName = { readonly field: NamedField; readonly name: string; readonly lines: number };

/** A name is the same in upper and lower case. */
export const nameKey = (field: ImportedField, name: string): string => `${field}:${name.toLowerCase()}`;

/** The names that are not known here, those of most lines first: each is to be chosen once for all its lines. */
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
