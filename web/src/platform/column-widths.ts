import { MIN_COLUMN_WIDTH } from '@forecourt/contract/column-widths';

/** Column widths in px (docs/product/limits.md, Screen limits), shared by the editable grid and all other tables. */
export const DEFAULT_COLUMN_WIDTH = 140;
/** Auto-fit adds this to the width of the widest content. */
export const FIT_MARGIN = 10;

/** Returns the width in whole px, at least the minimum. */
export const allowedWidth = (width: number, minimum = MIN_COLUMN_WIDTH): number =>
  Math.max(minimum, Math.round(width));
