import './presence.css';
import type { DealColumn, ViewColumnName } from '@forecourt/contract/permission-defaults';
import type { LivePresence, Presence } from '@forecourt/contract/presence';
import type { CellAddress, CellMark, CellMarks } from '../../grid/grid.ts';
import { texts } from '../../texts/deals.ts';
import { initialsOf } from '../../ui/initials.ts';
import { contractColumn } from './deal-options.ts';
import type { DealRow } from './deal-row.ts';

export type PresentPerson = LivePresence['people'][number];

/** How many colours there are in presence.css. */
const COLORS = 6;

/** The colour of a person, by the end of their id: the same in every browser. */
export const presenceClass = ({ _id }: Pick<PresentPerson, '_id'>): string =>
  `presence-${Number.parseInt(_id.slice(-6), 16) % COLORS}`;

/** Nobody is shown in a column that only says which row it is. */
const presenceColumn = (column: ViewColumnName): DealColumn | null =>
  column === 'month' || column === 'createdAt' ? null : column;

/** Where somebody is who is in this cell: in the month of its row, which is another one where they searched for it. */
export function placeOf(month: string, cell: CellAddress | null, row: DealRow | undefined): Presence {
  const deal = row?.deal;
  const column = cell && presenceColumn(contractColumn(cell.columnId));
  return deal && column ? { month: deal.month, dealId: deal._id, column } : { month };
}

/**
 * The cells that people are in.
 *
 * @param columnIds the columns of the grid
 */
export function marksOf(
  people: readonly PresentPerson[],
  keyOf: (dealId: string) => string,
  columnIds: readonly string[],
): CellMarks {
  const gridIds = new Map(columnIds.map((id) => [contractColumn(id), id]));
  const marks = new Map<string, Map<string, CellMark>>();
  for (const person of people) {
    const columnId = person.cell && gridIds.get(person.cell.column);
    if (!person.cell || columnId === null || columnId === undefined) continue;
    const key = keyOf(person.cell.dealId);
    const row = marks.get(key) ?? new Map<string, CellMark>();
    const other = row.get(columnId);
    const label = initialsOf(person.name);
    row.set(columnId, {
      label: other ? `${other.label} ${label}` : label,
      title: [...(other ? [other.title] : []), texts.isHere(person.name)].join(', '),
      className: other?.className ?? presenceClass(person),
    });
    marks.set(key, row);
  }
  return marks;
}
