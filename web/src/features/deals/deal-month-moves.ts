import type { Deal } from '@forecourt/contract/deals';
import type { CellValue, RowStore } from '../../grid/grid.ts';
import type { DealRow } from './deal-row.ts';

/** A row that an edit moved to the current month. */
type Move = { readonly from: string; readonly to: string; readonly deal: Deal };

type Values = Readonly<Record<string, CellValue>>;

type MovePorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  /** The version that a row has by what was sent from here. */
  readonly ownVersion: (id: string) => number | undefined;
  /** Gives a row values in one change, and with them a month where one is named. */
  readonly put: (id: string, version: number, values: Values, month?: string) => Promise<Deal>;
};

/**
 * Remembers which rows edits have moved to the current month (product section 4, moveEditedToCurrentMonth): what was
 * edited is taken back together with the month, since taking it back alone would be another edit that moves the row.
 */
export function createMonthMoves({ rows, ownVersion, put }: MovePorts) {
  const moves = new Map<string, Move>();

  return {
    /** The answer to a save. Call it before the table has it. */
    answered(key: string, deal: Deal): void {
      const known = moves.get(key);
      const from = rows.get(key)?.deal?.month ?? known?.deal.month;
      if (from !== undefined && from !== deal.month) moves.set(key, { from, to: deal.month, deal });
      else if (known) moves.set(key, { ...known, deal });
    },

    /** Whether an edit has moved a row, and nothing else has since. */
    has(key: string): boolean {
      const move = moves.get(key);
      const month = rows.get(key)?.deal?.month ?? move?.deal.month;
      return move !== undefined && (month === move.from || month === move.to);
    },

    /**
     * Gives a row that was moved these values. Rejects with an `ApiError`.
     * @param isBack it goes back to the month where it was
     */
    async change(key: string, values: Values, isBack: boolean): Promise<void> {
      const move = moves.get(key);
      if (!move) return;
      const { _id, version } = rows.get(key)?.deal ?? move.deal;
      const month = isBack ? move.from : undefined;
      const deal = await put(_id, Math.max(version, ownVersion(_id) ?? 0), values, month);
      moves.set(key, { ...move, deal });
    },
  };
}

export type MonthMoves = ReturnType<typeof createMonthMoves>;
