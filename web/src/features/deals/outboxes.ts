import type { Deal, DealPatch, NewDeal } from '@forecourt/contract/deals';
import { ApiError } from '../../platform/api-error.ts';
import { draftsOf } from '../../platform/drafts.ts';
import { newKey } from '../../platform/ids.ts';
import { currentSession } from '../../platform/session.ts';
import type { Attempt, DealDraft } from './deal-draft.ts';
import { createOutbox, type Outbox } from './deal-outbox.ts';
import { changeDeal, createDeal } from './deals.queries.ts';

/** Fields that the contract keeps as null while empty; the others are then the empty text. */
const nullable = new Set(['deliveryDate', 'saleAmount', 'costAmount', 'followUpAt']);

/** Sends one person's work in their own session and in nobody else's. */
async function send(userId: string, { dealId, month }: DealDraft, attempt: Attempt): Promise<Deal> {
  const { fields, version, idempotencyKey } = attempt;
  if (currentSession().user?._id !== userId) {
    throw new ApiError(401, 'Session expired. Please log in again.', 'NOT_SIGNED_IN');
  }
  const body = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, nullable.has(field) ? value : (value ?? '')]),
  );
  return dealId === null
    ? createDeal({ ...body, month } as NewDeal, idempotencyKey)
    : changeDeal(dealId, { ...body, version } as DealPatch, idempotencyKey);
}

export function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

let current: { userId: string; outbox: Outbox; stop: () => void } | null = null;

/**
 * The outbox of the signed-in person. It goes on sending while they are on other screens, and begins with what
 * an earlier page left; that of somebody who was here before is stopped and keeps what it has.
 */
export function outboxOf(userId: string): Outbox {
  if (current?.userId === userId) return current.outbox;
  current?.stop();
  const outbox = createOutbox({
    drafts: draftsOf<DealDraft>(userId, 'deal'),
    send: (draft, attempt) => send(userId, draft, attempt),
    newKey,
    later,
  });
  const warn = (event: BeforeUnloadEvent): void => {
    if (outbox.pending.get().length > 0) event.preventDefault();
  };
  const wake = (): void => outbox.wake();
  window.addEventListener('online', wake);
  window.addEventListener('beforeunload', warn);
  current = {
    userId,
    outbox,
    stop() {
      outbox.stop();
      window.removeEventListener('online', wake);
      window.removeEventListener('beforeunload', warn);
    },
  };
  void outbox.restore();
  return outbox;
}
