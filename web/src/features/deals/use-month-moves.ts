import type { Deal } from '@forecourt/contract/deals';
import { useEffect } from 'react';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/deal-actions.ts';
import { toastUndo } from '../../ui/toast-undo.tsx';
import { changeDeal } from './deals.queries.ts';
import { focusTable } from './focus-table.ts';
import { later } from './outboxes.ts';
import type { Deals } from './use-deals.ts';

type Move = { from: string; deal: Deal };

/** Rows that are saved together, by a paste for example, are told of together. */
const GATHER_MS = 600;

/**
 * Says which rows an edit has moved to the current month, and takes that back when asked (product section 4). Must
 * be used below the screen's own listener, which takes rows out of sight that left their month.
 */
export function useMonthMoves({ outbox, rows, table }: Pick<Deals, 'outbox' | 'rows' | 'table'>): void {
  useEffect(() => {
    const moves = new Map<string, Move>();
    let stopWaiting: (() => void) | null = null;

    function tell(): void {
      stopWaiting = null;
      const told = [...moves.values()];
      moves.clear();
      const [first] = told;
      if (first) toastUndo(texts.moved(told.length, first.deal.month), texts.undo, () => moveBack(told));
    }
    async function moveBack(told: readonly Move[]): Promise<void> {
      focusTable();
      for (const { from, deal } of told)
        table.refresh([await changeDeal(deal._id, { version: deal.version, month: from }, newKey())]);
    }

    const stop = outbox.listen({
      onDraft: () => undefined,
      onDeal(key, deal) {
        const from = moves.get(deal._id)?.from ?? rows.get(key)?.deal?.month;
        if (from === undefined || from === deal.month) return;
        moves.set(deal._id, { from, deal });
        stopWaiting?.();
        stopWaiting = later(tell, GATHER_MS);
      },
    });
    return () => {
      stop();
      stopWaiting?.();
      if (moves.size > 0) tell();
    };
  }, [outbox, rows, table]);
}
