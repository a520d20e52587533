import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { sameValue } from './cell-changes.ts';
import {
  refusedTextOf,
  seenValue,
  type CellAddress,
  type CellValue,
  type Command,
  type GridColumn,
  type GridRecord,
  type RefusedText,
  type TypedText,
} from './columns.ts';
import { copyText } from './format.ts';
import { parseText } from './parse.ts';
import type { RowStore } from './row-store.ts';
import { blockedReason } from './use-cell-reason.ts';

/** An open editor. `draft` stores the typed text outside React, so that a keystroke renders nothing. */
export interface Session extends CellAddress {
  readonly initialText: string;
  /**
   * Whether typing replaced the cell's content. This decides the initial caret, the list of a select, and whether arrow
   * keys leave the cell. False if the content is amended.
   */
  readonly replaces: boolean;
  readonly problem: string | null;
  readonly draft: (text: string) => void;
}

/** Props of the editor in a cell. */
export interface CellEditorProps<R extends GridRecord> {
  readonly column: GridColumn<R>;
  readonly session: Session;
  readonly prefix: string;
}

export interface Editing {
  readonly session: Session | null;
  /**
   * Opens an editor unless the cell is blocked. `text` replaces the content; without it, the content is amended.
   * Returns whether it was opened.
   */
  readonly start: (cell: CellAddress, text?: string) => boolean;
  /** Switches to amending: arrow keys then move the caret. */
  readonly amend: () => void;
  /**
   * `save` leaves the editor open if the text is refused; `leave` closes it, and the refused text stays marked in the
   * cell. Returns whether the editor is closed.
   */
  readonly finish: (how: 'save' | 'leave' | 'cancel') => boolean;
  /** Saves an open editor, then opens `details` of the cell's column. Returns whether the editor is closed. */
  readonly openDetails: (cell: CellAddress) => boolean;
}

export interface EditingOptions<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly columns: readonly GridColumn<R>[];
  readonly timeZone: string;
  readonly onCommand: (command: Command) => void;
  readonly onTyping: ((typed: TypedText | null) => void) | undefined;
  /** Called when the user tries to edit a cell that they may not change. */
  readonly onBlocked: (cell: CellAddress) => void;
}

interface Open<R extends GridRecord> extends CellAddress {
  readonly column: GridColumn<R>;
  readonly before: CellValue;
  /** The refused text that the cell had before. */
  readonly refused: RefusedText | null;
  readonly release: () => void;
  /** The initial text, if it is the cell's value: saving it unchanged emits no command. */
  readonly own: string | null;
  text: string;
}

/** Opens, validates, saves and cancels an editor. Every change is emitted by `onCommand`. */
export function useEditing<R extends GridRecord>(options: EditingOptions<R>): Editing {
  const { store, columns, timeZone, onCommand, onTyping, onBlocked } = options;
  const [session, setSession] = useState<Session | null>(null);
  const open = useRef<Open<R> | null>(null);

  function editable({ key, columnId }: CellAddress): { column: GridColumn<R>; record: R } | null {
    const column = columns.find((each) => each.id === columnId);
    const record = store.get(key);
    if (!column || !record || column.readOnly) return null;
    if ((blockedReason(column, record) ?? null) === null) return { column, record };
    onBlocked({ key, columnId });
    return null;
  }

  function start(cell: CellAddress, text?: string): boolean {
    const editableCell = editable(cell);
    if (!editableCell) return false;
    const { column, record } = editableCell;
    const refused = refusedTextOf(column, record);
    if (column.open && text === undefined && !refused) {
      column.open(record);
      return false;
    }
    const before = seenValue(column, record, refused);
    const own = text === undefined && !refused && before !== null ? copyText(column, record, timeZone) : null;
    const initialText = text ?? refused?.text ?? own ?? '';
    const { key, columnId } = cell;
    const opened: Open<R> = {
      key,
      columnId,
      column,
      before,
      refused,
      own,
      release: store.hold(key),
      text: initialText,
    };
    open.current = opened;
    const draft = (typed: string) => {
      opened.text = typed;
      onTyping?.(typed === initialText ? null : { key, columnId, text: typed, before });
      setSession((old) => (old?.problem ? { ...old, problem: null } : old));
    };
    setSession({
      key,
      columnId,
      initialText,
      replaces: text !== undefined,
      problem: text === undefined ? (refused?.message ?? column.invalidReason?.(record) ?? null) : null,
      draft,
    });
    return true;
  }

  function finish(how: 'save' | 'leave' | 'cancel'): boolean {
    const opened = open.current;
    if (!opened) return true;
    // A column that was removed during the edit still accepts its text.
    const column = columns.find((each) => each.id === opened.columnId) ?? opened.column;
    const changesNothing = how === 'cancel' || opened.text === opened.own;
    const clock = { now: new Date(), timeZone };
    const parsed = changesNothing ? null : parseText(column, opened.text, clock, opened.before);
    if (parsed?.ok === false && how === 'save') {
      setSession((old) => old && { ...old, problem: parsed.message });
      return false;
    }
    const { key, columnId, before, text } = opened;
    open.current = null;
    setSession(null);
    const changes =
      parsed?.ok && !sameValue(before, parsed.value) ? [{ key, columnId, before, after: parsed.value }] : [];
    const refused = parsed?.ok === false ? [{ key, columnId, text, message: parsed.message, before }] : [];
    const cleared = opened.refused ? [opened.refused] : [];
    const isLeftAsItWas = refused.length > 0 && text === opened.refused?.text;
    if (!isLeftAsItWas && changes.length + refused.length + cleared.length > 0)
      onCommand({ source: 'edit', changes, refused, cleared });
    // Called after the command, so that the caller always has the text.
    onTyping?.(null);
    opened.release();
    return true;
  }

  function openDetails(cell: CellAddress): boolean {
    if (!finish('save')) return false;
    const editableCell = columns.some(({ id, details }) => id === cell.columnId && details)
      ? editable(cell)
      : null;
    editableCell?.column.details?.open(editableCell.record);
    return true;
  }

  // Unmounting with an open editor saves its text, as a click elsewhere does.
  const leave = useEffectEvent(() => void finish('leave'));
  useEffect(() => () => leave(), []);

  // Unloading the page also saves, after a warning, because saving takes longer than an unload permits.
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (session === null || open.current?.text === session.initialText) return;
    event.preventDefault();
    finish('leave');
  });
  useEffect(() => {
    const listen = (event: BeforeUnloadEvent) => warn(event);
    window.addEventListener('beforeunload', listen);
    return () => window.removeEventListener('beforeunload', listen);
  }, []);

  function amend() {
    // A select always uses the arrow keys for its list.
    const isList = columns.find((each) => each.id === session?.columnId)?.type === 'select';
    if (!isList) setSession((old) => (old?.replaces ? { ...old, replaces: false } : old));
  }

  return { session, start, amend, finish, openDetails };
}

/** Closes an editor whose column was removed, and saves its text. */
export function useLostColumn(
  { session, finish }: Editing,
  columns: readonly { readonly id: string }[],
  focusGrid: () => void,
): void {
  const columnId = session?.columnId;
  const isLost = columnId !== undefined && !columns.some(({ id }) => id === columnId);
  const leave = useEffectEvent(() => {
    finish('leave');
    focusGrid();
  });
  useEffect(() => {
    if (isLost) leave();
  }, [isLost]);
}
