import { useLayoutEffect, type RefObject } from 'react';

/** Px around the buttons, as in Table.module.css. */
const PADDING = 16;

/**
 * Sets the CSS variable `--actions-width` to the width of the buttons at the end of the rows. A table with automatic
 * layout does not need it and is not measured.
 */
export function useActionsWidth(table: RefObject<HTMLTableElement | null>, isNeeded: boolean): void {
  useLayoutEffect(() => {
    if (!isNeeded || !table.current) return;
    const buttons = [...table.current.querySelectorAll<HTMLElement>('[data-actions] > *')];
    const width = Math.max(0, ...buttons.map(({ offsetWidth }) => offsetWidth)) + PADDING;
    table.current.style.setProperty('--actions-width', `${width}px`);
  });
}
