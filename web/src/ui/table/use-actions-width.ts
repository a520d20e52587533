import { useLayoutEffect, type RefObject } from 'react';

/** Px around the buttons, as in Table.module.css. */
const PADDING = 16;

/**
 * Tells the table's styles, as `--actions-width`, how wide the buttons at the end of the rows are. A table that
 * shares out its width by itself needs no telling and is not measured.
 */
export function useActionsWidth(table: RefObject<HTMLTableElement | null>, isNeeded: boolean): void {
  useLayoutEffect(() => {
    if (!isNeeded || !table.current) return;
    const buttons = [...table.current.querySelectorAll<HTMLElement>('[data-actions] > *')];
    const width = Math.max(0, ...buttons.map(({ offsetWidth }) => offsetWidth)) + PADDING;
    table.current.style.setProperty('--actions-width', `${width}px`);
  });
}
