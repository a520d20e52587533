import type { Deal } from '@forecourt/contract/deals';
import type { CellValue, RowStore } from '../../../grid/grid.ts';
import type { NewChangeSet } from '../../../platform/ids.ts';
import type { DealRow } from '../deal-row.ts';
import type { LocalVersions } from './local-versions.ts';

/** A row that an edit moved to the current month. */
type Move = { readonly from: string; readonly to: string; readonly deal: Deal };

type Values = Readonly<Record<string, CellValue>>;

type MovePorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  readonly localVersions: Pick<LocalVersions, 'newest'>;
  /** Sets values of a row, and its month if there is one, in one change. */
  readonly put: (
    id: string,
    version: number,
    values: Values,
    changeSet: NewChangeSet,
    month?: string,
  ) => Promise<Deal>;
};

/**
 * Tracks rows that edits moved to the current month (docs/product/data-entry.md, Months). Undo restores values and
 * month together, because restoring only the values would be another edit that moves the row.
 */
export function createMonthMoves({ rows, localVersions, put }: MovePorts) {
  const moves = new Map<string, Move>();

  return {
    /** Records the response of a save. Must be called before the table is updated. */
    record(key: string, deal: Deal): void {
      const earlierMove = moves.get(key);
      const from = rows.get(key)?.deal?.month ?? earlierMove?.deal.month;
      if (from !== undefined && from !== deal.month) moves.set(key, { from, to: deal.month, deal });
      else if (earlierMove) moves.set(key, { ...earlierMove, deal });
    },

    /** Whether an edit has moved a row and it was not moved since. */
    has(key: string): boolean {
      const move = moves.get(key);
      const month = rows.get(key)?.deal?.month ?? move?.deal.month;
      return move !== undefined && (month === move.from || month === move.to);
    },

    /**
     * Sets values of a moved row. Rejects with an `ApiError`.
     * @param isBack moves the row back to its former month
     */
    async change(key: string, values: Values, isBack: boolean, changeSet: NewChangeSet): Promise<void> {
      const move = moves.get(key);
      if (!move) return;
      const before = rows.get(key)?.deal ?? move.deal;
      const month = isBack ? move.from : undefined;
      const deal = await put(before._id, localVersions.newest(before), values, changeSet, month);
      moves.set(key, { ...move, deal });
    },
  };
}

export type MonthMoves = ReturnType<typeof createMonthMoves>;
