/** Whether a letter pressed here is part of a text: in a field, and in the grid, whose cells take it. */
export const typesInto = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="grid"]') !== null;
