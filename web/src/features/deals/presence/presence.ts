import './presence.css';
import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealColumn, ViewColumnName } from '@forecourt/contract/deal-fields';
import type { Presence, PresentPerson } from '@forecourt/contract/presence';
import type { CellAddress, CellMark, CellMarks } from '../../../grid/grid.ts';
import { texts } from '../../../texts/deals.ts';
import { initialsOf } from '../../../ui/initials.ts';
import { contractColumn } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';

/** Number of colours in presence.css. */
const COLORS = 6;

/** Returns the colour class of a user, derived from the end of their id: the same in every browser. */
export const presenceClass = ({ _id }: Pick<PresentPerson, '_id'>): string =>
  `presence-${Number.parseInt(_id.slice(-6), 16) % COLORS}`;

/** Identity columns show no presence. */
const presenceColumn = (column: ViewColumnName | CustomKey): DealColumn | CustomKey | null =>
  column === 'month' || column === 'createdAt' ? null : column;

/** Returns the position of a user. Its month is that of the row, which may differ in a search. */
export function placeOf(month: string, cell: CellAddress | null, row: DealRow | undefined): Presence {
  const deal = row?.deal;
  const column = cell && presenceColumn(contractColumn(cell.columnId));
  return deal && column ? { month: deal.month, dealId: deal._id, column } : { month };
}

/**
 * Returns the marks of other users' cells.
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

/** The server accepts one position a second. */
const INTERVAL_MS = 1100;
/** Interval of repetitions in milliseconds: the server removes a position after 30 s. */
const REPEAT_MS = 10_000;

type Ports = {
  readonly send: (presence: Presence) => Promise<unknown>;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Called if a position could not be sent: the known positions of others may be outdated. */
  readonly onFailure: () => void;
};

/** Sends a position at once, then as often as the server permits, and periodically while it is unchanged. */
export function createPresenceSender({ send, now, later, onFailure }: Ports) {
  let place: Presence | null = null;
  let lastSent = -Infinity;
  let stopTimer: (() => void) | null = null;

  function schedule(ms: number): void {
    stopTimer?.();
    stopTimer = later(sendPlace, ms);
  }
  function sendPlace(): void {
    if (place === null) return;
    lastSent = now();
    schedule(REPEAT_MS);
    send(place).catch(onFailure);
  }

  return {
    /** Returns the open month; null if there is none. */
    month: (): string | null => place?.month ?? null,
    move(next: Presence): void {
      if (JSON.stringify(next) === JSON.stringify(place)) return;
      place = next;
      schedule(Math.max(0, lastSent + INTERVAL_MS - now()));
    },
    /** Sends the position again as soon as possible, because the server may have removed it. */
    again: (): void => schedule(Math.max(0, lastSent + INTERVAL_MS - now())),
    /** Sends that the user has left, and stops. */
    leave(): void {
      stopTimer?.();
      if (place === null) return;
      place = null;
      send({ month: null }).catch(() => undefined);
    },
  };
}
