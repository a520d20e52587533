import { emptyColumnState, type ColumnState } from '../../grid/grid.ts';

/** How the columns stand until somebody arranges them: who it is about stays in sight. */
export const initialColumns: ColumnState = {
  ...emptyColumnState,
  columnPinning: { start: ['status', 'customerName'], end: [] },
};
