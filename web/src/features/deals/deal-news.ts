import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { ApiError } from '../../platform/api-error.ts';

type NewsPorts = {
  readonly deal: (id: string) => Promise<Deal>;
  /** The row that a message is about. */
  readonly dealOfEmail: (emailId: string) => Promise<string | null>;
  readonly onDeals: (deals: readonly Deal[]) => void;
  readonly onGone: (ids: readonly string[]) => void;
  /** Too much changed to ask for it one by one. */
  readonly reload: () => void;
  readonly later: (run: () => void, ms: number) => () => void;
};

/** Events are gathered for this long, so that a burst is one change of the table. */
const GATHER_MS = 80;

/** More changed rows than this are loaded as a view. */
const MANY = 60;

/** Follows what others change: gathers events, asks for the rows concerned and hands them on together. */
export function createDealNews({ deal, dealOfEmail, onDeals, onGone, reload, later }: NewsPorts) {
  let ids = new Set<string>();
  let stopTimer: (() => void) | null = null;
  let stopped = false;

  async function ask(): Promise<void> {
    stopTimer = null;
    const asked = [...ids];
    ids = new Set();
    if (asked.length > MANY) return reload();
    const answers = await Promise.allSettled(asked.map(deal));
    if (stopped) return;
    const gone = asked.filter((_, at) => isGone(answers[at]));
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (found.length > 0) onDeals(found);
    if (gone.length > 0) onGone(gone);
  }

  function gather(id: string): void {
    ids.add(id);
    stopTimer ??= later(() => void ask(), GATHER_MS);
  }

  return {
    onDeal({ recordId, action }: LiveEvent): void {
      if (action !== 'deleted') return gather(recordId);
      ids.delete(recordId);
      onGone([recordId]);
    },
    onEmail({ recordId }: LiveEvent): void {
      dealOfEmail(recordId).then(
        (id) => id !== null && gather(id),
        // A message that may not be seen, or no line: the row's own event or the next load tells it.
        () => undefined,
      );
    },
    stop(): void {
      stopped = true;
      stopTimer?.();
    },
  };
}

const isGone = (answer: PromiseSettledResult<Deal> | undefined): boolean =>
  answer?.status === 'rejected' && answer.reason instanceof ApiError && answer.reason.status === 404;
