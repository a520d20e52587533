import type { Deal, DealPatch } from '@forecourt/contract/deals';
import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import { ApiError, errorFromAnswer } from '../../platform/api-error.ts';
import { draftsOf } from '../../platform/drafts.ts';
import { newKey } from '../../platform/ids.ts';
import { currentMay } from '../../platform/permissions.ts';
import { currentSession } from '../../platform/session.ts';
import { viewing } from '../../platform/view-as.ts';
import type { Attempt, DealDraft } from './deal-draft.ts';
import { sentItems } from './deal-items.ts';
import { createOutbox, type Outbox, type Sent } from './deal-outbox.ts';
import { tabsOf } from './deal-tabs.ts';
import { changeDeal, createDeals } from './deals.queries.ts';
import { createKeptTexts, type KeptText, type KeptTexts } from './kept-texts.ts';
import { openElsewhere } from './open-elsewhere.ts';

/** Fields that the contract keeps as null while empty; the others are then the empty text. */
const nullable = new Set(['deliveryDate', 'saleAmount', 'costAmount', 'followUpAt']);

/** Throws as the server would where the session is nobody's or somebody else's. */
function requireSession(userId: string): void {
  if (currentSession().user?._id !== userId)
    throw new ApiError(401, 'Session expired. Please log in again.', 'NOT_SIGNED_IN');
}

/** What cells hold, as the contract has it. */
export const bodyOf = ({ fields }: Pick<Attempt, 'fields'>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      if (field === 'items') return [field, sentItems(value)];
      return [field, nullable.has(field) ? value : (value ?? '')];
    }),
  );

/** Sends one person's work in their own session and in nobody else's. */
async function change(userId: string, { dealId }: DealDraft, attempt: Attempt): Promise<Deal> {
  requireSession(userId);
  const body = { ...bodyOf(attempt), version: attempt.version } as DealPatch;
  return changeDeal(dealId!, body, attempt.idempotencyKey);
}

/** The same for new rows: by its attempt's key the server knows one that comes again. */
async function create(userId: string, rows: readonly Sent[]): Promise<(Deal | ApiError)[]> {
  requireSession(userId);
  const may = currentMay();
  // Who has the current month only gets the one that is current by then, on the server's clock.
  const choosesMonth = !may.known || may.do('dataEntry', 'canAccessAllMonths');
  const { items } = await createDeals(
    rows.map(({ draft, attempt }) => ({
      key: attempt.idempotencyKey,
      deal: { ...bodyOf(attempt), ...(choosesMonth && { month: draft.month }) },
    })),
  );
  return items.map((item) => {
    if ('deal' in item) return item.deal;
    return errorFromAnswer(statusOf(item.refusal.code), item.refusal);
  });
}

const statusOf = (code: string): number => (code in errorCodes ? errorCodes[code as ErrorCode].status : 400);

export function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

type UnsavedWork = { readonly outbox: Outbox; readonly keptTexts: KeptTexts };

let current: { userId: string; work: UnsavedWork; stop: () => void } | null = null;

/**
 * The outbox of the signed-in person, and what they type before it gets there. It goes on sending while they are on
 * other screens, and begins with what an earlier page left; that of somebody who was here before is stopped and keeps
 * what it has.
 */
export function unsavedWorkOf(userId: string): UnsavedWork {
  if (current?.userId === userId) return current.work;
  current?.stop();
  const outbox = createOutbox({
    drafts: draftsOf<DealDraft>(userId, 'deal'),
    change: (draft, attempt) => change(userId, draft, attempt),
    create: (rows) => create(userId, rows),
    newKey,
    tabs: tabsOf(userId),
    later,
  });
  const keptTexts = createKeptTexts({
    texts: draftsOf<KeptText>(userId, 'deal-text'),
    newKey,
    later,
    openElsewhere: () => editors.ask(),
    offer: (left) => outbox.offer(left),
  });
  const editors = openElsewhere('deal-texts', userId, keptTexts.openHere);
  const saved = (key: string, { _id }: Deal): void => keptTexts.saved(key, _id);
  outbox.listen({ onDraft: () => undefined, onDeal: saved, onDealOfTab: saved });
  const warn = (event: BeforeUnloadEvent): void => {
    if (viewing === null && outbox.pending.get().length > 0) event.preventDefault();
  };
  const wake = (): void => outbox.wake();
  window.addEventListener('online', wake);
  window.addEventListener('beforeunload', warn);
  current = {
    userId,
    work: { outbox, keptTexts },
    stop() {
      outbox.stop();
      editors.stop();
      window.removeEventListener('online', wake);
      window.removeEventListener('beforeunload', warn);
    },
  };
  // A text goes into the draft of its row, which comes first.
  void outbox.restore().then(() => keptTexts.restore());
  return current.work;
}
