import { useRef, type KeyboardEvent } from 'react';
import { sameCell, type CellAddress, type CellType } from './columns.ts';
import { gridKeys, type GridCommand, type GridParts } from './grid-props.ts';
import { clamp, HEADER_ROW, keyMove, tabMove, type Position } from './movement.ts';
import { passHeads } from './row-sequence.ts';

interface KeyActions {
  readonly typeOf: (columnId: string) => CellType | undefined;
  /** Toggles the checkboxes of the selected rows. */
  readonly onTickRows: () => void;
  readonly onCommand: (command: GridCommand) => void;
}

const WIDTH_STEP = 10;
const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Types whose editor uses arrow keys only for the caret. */
const ONE_LINE: ReadonlySet<CellType> = new Set(['text', 'number', 'currency', 'phone', 'date', 'datetime']);

/** Returns the letter of a command's key. */
const letterOf = (command: GridCommand): string => gridKeys[command].replace('Ctrl+', '').toLowerCase();

const isPlainArrow = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  /^Arrow(Up|Down|Left|Right)$/.test(key) && !shiftKey && !ctrlKey && !metaKey && !altKey;

const isDetailsKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === 'Enter' && altKey && !shiftKey && !ctrlKey && !metaKey;

/** The keyboard of the whole grid: one listener on its root handles cells and the open editor. */
export function useGridKeys(
  { props, active, sequence, groups, editing, gestures, ticks, block, drag, focusGrid }: GridParts,
  { typeOf, onTickRows, onCommand }: KeyActions,
): (event: KeyboardEvent<HTMLElement>) => void {
  // WCAG 2.1.2: Tab moves through the cells, so there must be a way out that does not pass all of them.
  const tabLeaves = useRef(false);
  /** A run of Tabs: the column in which it began, and its current cell. */
  const tabs = useRef<{ readonly begun: number; readonly cell: CellAddress } | null>(null);

  function move(event: KeyboardEvent, to: Position | null): boolean {
    if (!to) return false;
    event.preventDefault();
    block.collapse();
    active.moveTo(to);
    return true;
  }

  /** Returns the first column of the run of Tabs that reached the active cell, otherwise the column of the cell. */
  function begunIn({ column }: Position): number {
    const { cell } = active;
    return tabs.current && cell && sameCell(tabs.current.cell, cell) ? tabs.current.begun : column;
  }

  function tab(event: KeyboardEvent, from: Position) {
    const { columns } = active.extent();
    // Tab skips the heads of groups.
    const column = sequence.isHead(from.row) ? (event.shiftKey ? 0 : columns - 1) : from.column;
    const next = tabMove({ row: from.row, column }, event.shiftKey, active.extent());
    const to = next && { ...next, row: passHeads(sequence, next.row, event.shiftKey ? -1 : 1) };
    if (!to || (to.row !== next.row && sequence.keyAt(to.row) === undefined)) return;
    const begun = begunIn(from);
    event.preventDefault();
    block.collapse();
    const cell = active.moveTo(to);
    tabs.current = cell && { begun, cell };
  }

  function editorKey(event: KeyboardEvent, from: Position, type: CellType | undefined) {
    const { key, shiftKey } = event;
    const far = event.ctrlKey || event.metaKey;
    if (key === 'Tab') {
      editing.finish('leave');
      focusGrid();
      tab(event, from);
    } else if (key === 'Escape') {
      event.preventDefault();
      editing.finish('cancel');
      focusGrid();
    } else if (type && ONE_LINE.has(type) && key === 'F2') {
      event.preventDefault();
      editing.amend();
    } else if (type && ONE_LINE.has(type) && isPlainArrow(event) && editing.session?.replaces) {
      editing.finish('leave');
      focusGrid();
      move(event, keyMove(from, event, active.extent()));
    } else if (isDetailsKey(event)) {
      openDetails(event);
    } else if (key === 'Enter' && (type !== 'multiline' || far)) {
      event.preventDefault();
      if (!editing.finish('save')) return;
      focusGrid();
      const step = shiftKey ? -1 : 1;
      const next = passHeads(sequence, Math.max(0, from.row + step), step);
      // Enter after a run of Tabs moves to its first column in the next row, as in every spreadsheet.
      const column = shiftKey ? from.column : begunIn(from);
      active.moveTo(clamp({ row: next >= 0 ? next : from.row, column }, active.extent()));
    }
  }

  function openDetails(event: KeyboardEvent) {
    event.preventDefault();
    if (active.cell && editing.openDetails(active.cell)) focusGrid();
  }

  function headerKey(event: KeyboardEvent, columnId: string) {
    const { key, shiftKey } = event;
    const step = STEPS[key];
    if (key === ' ' && shiftKey) ticks.toggleAll();
    else if (key === 'Enter' || key === ' ') props.onHeaderClick?.(columnId);
    else if (step && shiftKey && event.ctrlKey) gestures.step(columnId, step);
    else if (step && shiftKey) gestures.widen(columnId, step * WIDTH_STEP);
    else return;
    event.preventDefault();
  }

  /** Shift extends the block. Space with Shift or Ctrl selects rows or columns, and toggles checkboxes. */
  function blockKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (key === ' ' && (shiftKey || ctrlKey)) {
      if (shiftKey && ctrlKey) onTickRows();
      else if (shiftKey) block.selectRows();
      else block.selectColumns();
      return true;
    }
    if (!shiftKey || !block.head) return false;
    const stroke = { key, ctrlKey, metaKey, altKey, shiftKey: false };
    const to = keyMove(block.head, stroke, active.extent());
    if (to) block.extendTo(to);
    return to !== null;
  }

  function letterKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (!(ctrlKey || metaKey) || altKey) return false;
    const act = letters[`${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`];
    act?.();
    return act !== undefined;
  }

  const letters: Readonly<Record<string, (() => void) | undefined>> = {
    a: block.selectAll,
    [letterOf('fillDown')]: () => onCommand('fillDown'),
    [letterOf('fillRight')]: () => onCommand('fillRight'),
    z: props.onUndo,
    y: props.onRedo,
    'shift+z': props.onRedo,
  };

  function cellKey(event: KeyboardEvent, cell: CellAddress, position: Position) {
    const startTyping = () => {
      active.reveal(position);
      return editing.start(cell, '');
    };
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (blockKey(event) || letterKey(event)) {
      event.preventDefault();
    } else if (event.key === gridKeys.edit || (event.key === 'Enter' && plain)) {
      event.preventDefault();
      onCommand('edit');
    } else if (isDetailsKey(event)) {
      openDetails(event);
    } else if ((event.key === gridKeys.clear || event.key === 'Backspace') && plain) {
      event.preventDefault();
      onCommand('clear');
    } else if (event.key === ' ' && plain && props.onOpen) {
      event.preventDefault();
      props.onOpen(cell.key);
    } else if (typesText(event) && !startTyping()) {
      event.preventDefault();
    }
  }

  function gridKey(event: KeyboardEvent, from: Position) {
    const leaves = tabLeaves.current;
    tabLeaves.current = event.key === 'Escape' || (leaves && event.key === 'Shift');
    if (event.key === 'Escape') {
      // The first Escape ends a block; the next one lets Tab leave the grid.
      if (drag.cancel() || block.isWide) tabLeaves.current = false;
      block.collapse();
      return;
    }
    if (event.key === 'Tab') {
      if (!leaves) tab(event, from);
      return;
    }
    const { cell } = active;
    if (cell && groups?.onKey(event, cell.key)) return event.preventDefault();
    if (move(event, keyMove(from, event, active.extent()))) {
      const { key, ctrlKey, metaKey } = event;
      if (key === 'Home') active.scrollToEdge('left');
      if ((ctrlKey || metaKey) && (key === 'End' || key === 'ArrowDown')) active.scrollToEdge('bottom');
      return;
    }
    if (!cell) return;
    if (from.row === HEADER_ROW) headerKey(event, cell.columnId);
    else cellKey(event, cell, from);
  }

  /** After the active row was removed, a movement key starts from its former position; other keys change no row. */
  function lostKey(event: KeyboardEvent, { row, column }: Position) {
    const leaves = tabLeaves.current;
    tabLeaves.current = event.key === 'Escape' || (leaves && event.key === 'Shift');
    const isDown = event.key === 'ArrowDown' || event.key === 'PageDown';
    if (move(event, keyMove({ row: isDown ? row - 1 : row, column }, event, active.extent()))) return;
    if (letterKey(event) || typesText(event) || (event.key === 'Tab' && !leaves)) event.preventDefault();
  }

  return (event) => {
    const { cell, position, lost } = active;
    if (event.nativeEvent.isComposing) return;
    if (lost && event.target === event.currentTarget) lostKey(event, lost);
    if (!cell || !position) return;
    if (editing.session) editorKey(event, position, typeOf(cell.columnId));
    else if (event.target === event.currentTarget) gridKey(event, position);
  };
}

/**
 * Whether a key starts a text. Names of keys are longer than one character, but an emoji has two code units. A dead key
 * or an input method starts a text that is not known yet. AltGr is Ctrl+Alt on Windows.
 */
function typesText({ key, ctrlKey, altKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if ((ctrlKey || altKey || metaKey) && !nativeEvent.getModifierState('AltGraph')) return false;
  // A question mark opens the list of shortcuts, as everywhere. To type one, users open the cell with F2 or Enter.
  if (key === '?') return false;
  return /^.$/u.test(key) || key === 'Dead' || key === 'Process' || key === 'Unidentified';
}
