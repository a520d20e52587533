import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';

/** Focusable controls in a row or in the head, from left to right. */
const CONTROLS = 'button, a[href], input';
/** Fields that use these keys themselves. */
const FIELDS = 'input:not([type=checkbox]), textarea, select';
/** Px of a step of Alt+Left and Alt+Right. */
const WIDTH_STEP = 10;

type TableKeysOptions = {
  table: RefObject<HTMLTableElement | null>;
  /** Keys of the shown rows, in order. */
  keys: readonly string[];
  onToggle: ((key: string, extend: boolean) => void) | undefined;
  onWiden: (columnId: string, by: number) => void;
};

/**
 * Keyboard navigation of the table. Up and Down move between rows, at the same control; Left and Right move within a row
 * or the head, Home and End to the ends. On a row Space selects and Enter presses its first action. In the head Alt+Left
 * and Alt+Right resize. Tab visits every control as usual.
 */
export function useTableKeys({ table, keys, onToggle, onWiden }: TableKeysOptions) {
  const [active, setActive] = useState<string | null>(null);
  // The control to focus once the active row is mounted: a long table may have to render it first.
  const wanted = useRef<number | null>(null);
  const tabStop = active !== null && keys.includes(active) ? active : keys[0];

  useLayoutEffect(() => {
    if (wanted.current === null || tabStop === undefined) return;
    focusIn(rowOf(table.current, tabStop), wanted.current);
    wanted.current = null;
  });

  function goTo(index: number, control: number): void {
    const key = keys[Math.max(0, Math.min(index, keys.length - 1))];
    if (key === undefined) return;
    const row = rowOf(table.current, key);
    if (row) return focusIn(row, control);
    wanted.current = control;
    setActive(key);
  }

  function onRowKey(event: KeyboardEvent, row: HTMLElement): boolean {
    const target = event.target as HTMLElement;
    const key = row.dataset['row'] ?? '';
    const index = keys.indexOf(key);
    const control = controlsOf(row).indexOf(target);
    switch (event.key) {
      case 'ArrowUp':
        if (index === 0) headControls(table.current)[0]?.focus();
        else goTo(index - 1, control);
        return true;
      case 'ArrowDown':
        goTo(index + 1, control);
        return true;
      case 'Home':
        goTo(0, control);
        return true;
      case 'End':
        goTo(keys.length - 1, control);
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
        [row, ...controlsOf(row)][control + 1 + stepOf(event.key)]?.focus();
        return true;
      case ' ':
        if (target !== row || !onToggle) return false;
        onToggle(key, event.shiftKey);
        return true;
      case 'Enter':
        if (target === row) firstAction(row)?.click();
        return target === row;
      default:
        return false;
    }
  }

  function onHeadKey(event: KeyboardEvent, columnId: string | undefined): boolean {
    const controls = headControls(table.current);
    const at = controls.indexOf(event.target as HTMLElement);
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        if (!event.altKey) controls[at + stepOf(event.key)]?.focus();
        else if (columnId !== undefined) onWiden(columnId, stepOf(event.key) * WIDTH_STEP);
        return true;
      case 'ArrowDown':
        goTo(0, -1);
        return true;
      case 'Home':
        controls[0]?.focus();
        return true;
      case 'End':
        controls.at(-1)?.focus();
        return true;
      default:
        return false;
    }
  }

  return {
    /** The row that Tab reaches. */
    tabStop,
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>): void => {
      const target = event.target as HTMLElement;
      // Keys in a menu or dialog opened from a cell bubble here through React, not through the DOM.
      if (event.defaultPrevented || !event.currentTarget.contains(target)) return;
      if (target.matches(FIELDS)) return;
      const row = target.closest<HTMLElement>('[data-row]');
      const head = target.closest<HTMLElement>('thead th');
      if (event.ctrlKey || event.metaKey || (event.altKey && !head)) return;
      const handled = row ? onRowKey(event, row) : head && onHeadKey(event, head.dataset['column']);
      if (handled) event.preventDefault();
    },
    onFocus: ({ target }: FocusEvent<HTMLTableElement>): void => {
      const key = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
      if (key !== undefined) setActive(key);
    },
  };
}

/** Focuses a row's control, or the row itself where it has no such control. */
function focusIn(row: HTMLElement | null, control: number): void {
  if (row) (controlsOf(row)[control] ?? row).focus();
}

const stepOf = (key: string): 1 | -1 => (key === 'ArrowRight' ? 1 : -1);

const rowOf = (table: HTMLTableElement | null, key: string): HTMLElement | null =>
  table?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;

/** Returns the visible controls: some are hidden on a phone. */
const controlsOf = (part: HTMLElement): HTMLElement[] =>
  [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.offsetParent !== null);

const headControls = (table: HTMLTableElement | null): HTMLElement[] =>
  table?.tHead ? controlsOf(table.tHead) : [];

/** Returns the first button at the end of a row, or else its first button or link. */
function firstAction(row: HTMLElement): HTMLElement | undefined {
  const controls = controlsOf(row).filter((control) => control.tagName !== 'INPUT');
  return controls.find((control) => control.closest('[data-actions]')) ?? controls[0];
}
