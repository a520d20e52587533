/** In px: the minimum of every table (docs/product/limits.md, Screen limits), and the maximum of a saved view. */
export const MIN_COLUMN_WIDTH = 50;
export const MAX_COLUMN_WIDTH = 2000;
