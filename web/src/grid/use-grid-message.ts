import { useState, type RefObject } from 'react';
import type { CellAddress, GridColumn, GridRecord } from './columns.ts';
import { displayText } from './format.ts';
import type { RowStore } from './row-store.ts';
import { blockedReason, invalidReason, useCellReason } from './use-cell-reason.ts';
import { isCutOff } from './whole-text.ts';

/** The last message, shown beside the active cell or only announced. The next key clears it. */
interface GridMessage {
  readonly note: string | null;
  /** The blocked cell that a user tried to edit. Its reason is shown as long as it applies. */
  readonly blocked: CellAddress | null;
  /** Whether the cell is too narrow for its text, which the note then contains too. */
  readonly cutOff?: boolean;
  readonly announcement: string;
}
const noMessage: GridMessage = { note: null, blocked: null, announcement: '' };

export function useGridMessage(scroller: RefObject<HTMLElement | null>) {
  const [message, setMessage] = useState<GridMessage>(noMessage);
  return {
    message,
    clear: () => setMessage(noMessage),
    announce: (announcement: string) => setMessage({ ...noMessage, announcement }),
    showNote: (note: string | null) =>
      setMessage((old) => (note === old.note ? old : { ...noMessage, note })),
    showBlocked: (blocked: CellAddress) => {
      const cutOff = isCutOff(scroller.current?.querySelector('.grid-cell.active') ?? null);
      setMessage({ ...noMessage, blocked, cutOff });
    },
  };
}

interface NoteCells<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly columns: readonly GridColumn<R>[];
  readonly timeZone: string;
  readonly active: CellAddress | null;
}

/**
 * Returns the note beside the active cell, and the full text of a cell that is too narrow for it.
 * @param instead replaces the note, also by none; undefined if nothing does
 */
export function useNote<R extends GridRecord>(
  { store, columns, timeZone, active }: NoteCells<R>,
  { note, blocked: cell, cutOff }: GridMessage,
  instead: string | null | undefined,
): { readonly text: string | null; readonly whole: string | null } {
  const invalid = useCellReason(store, columns, active, invalidReason);
  const blocked = useCellReason(store, columns, cell, blockedReason);
  const whole = useCellReason(store, columns, cutOff ? cell : null, (column, record) =>
    displayText(column, record, timeZone),
  );
  const text = instead === undefined ? (note ?? blocked ?? invalid) : instead;
  return { text, whole: text === blocked ? whole : null };
}
