/** Widths of columns in px (spec sections 2 and 9), the same in the editable grid and in every other table. */
const MIN_COLUMN_WIDTH = 50;
export const DEFAULT_COLUMN_WIDTH = 140;
/** What auto-fit adds to the width of the widest content. */
export const FIT_MARGIN = 10;

/** A width that a column may have: whole px, not below its minimum. */
export const allowedWidth = (width: number, minimum = MIN_COLUMN_WIDTH): number =>
  Math.max(minimum, Math.round(width));
