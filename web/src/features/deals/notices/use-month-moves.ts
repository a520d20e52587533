import type { Deal } from '@forecourt/contract/deals';
import { useEffect } from 'react';
import { newChangeSet, newKey } from '../../../platform/ids.ts';
import { later } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { focusTable } from '../data-entry-context.ts';
import type { SharedDeals } from '../data-entry-context.ts';
import { changeDeal } from '../deals.queries.ts';
import { isRefusal } from '../undo-step.ts';

type Move = { from: string; deal: Deal };

/** Rows saved within this time in milliseconds, such as those of a paste, share one toast. */
const BATCH_MS = 600;

/**
 * Shows which rows an edit has moved to the current month, with an undo (docs/product/data-entry.md, Months). Must
 * subscribe after the screen's own listener, which removes these rows.
 */
export function useMonthMoves({
  draftSync,
  rows,
  table,
}: Pick<SharedDeals, 'draftSync' | 'rows' | 'table'>): void {
  useEffect(() => {
    const moves = new Map<string, Move>();
    let stopWaiting: (() => void) | null = null;

    function notify(): void {
      stopWaiting = null;
      const recentMoves = [...moves.values()];
      moves.clear();
      const [first] = recentMoves;
      if (first)
        toastUndo(texts.moved(recentMoves.length, first.deal.month), texts.undo, () => moveBack(recentMoves));
    }
    async function moveBack(rowMoves: readonly Move[]): Promise<void> {
      focusTable();
      let refusal: unknown;
      const changeSet = newChangeSet('undo');
      for (const { from, deal } of rowMoves) {
        try {
          const patch = { version: deal.version, month: from };
          table.refresh([await changeDeal(deal._id, patch, newKey(), changeSet)]);
        } catch (thrown) {
          // A refusal of one row, which may have been deleted, must not stop the others.
          if (!isRefusal(thrown)) throw thrown;
          refusal ??= thrown;
        }
      }
      if (refusal !== undefined) throw refusal;
    }

    const stop = draftSync.subscribe({
      onDeal(key, deal) {
        const from = moves.get(deal._id)?.from ?? rows.get(key)?.deal?.month;
        if (from === undefined || from === deal.month) return;
        moves.set(deal._id, { from, deal });
        stopWaiting?.();
        stopWaiting = later(notify, BATCH_MS);
      },
    });
    return () => {
      stop();
      stopWaiting?.();
      if (moves.size > 0) notify();
    };
  }, [draftSync, rows, table]);
}
