import type { Context } from '../../platform/http/context.ts';
import { onlySender } from './email-sending.policy.ts';
import { countSent, countWaiting } from './email-sending.queries.ts';

/** Counting stops here, because the screen links to a list with pages. */
const MAX_COUNT = 10_000;

/** Counts the emails sent and queued with a template: the viewer's own, for administrators all. */
export async function mailOfTemplate({ db, viewer }: Context, templateId: string) {
  const filter = { templateId, senderId: onlySender(viewer) };
  const { sent, lastSentAt } = await countSent(db, filter, MAX_COUNT + 1);
  const { waiting, waitingMerges } = await countWaiting(db, filter);
  return {
    sent: Math.min(sent, MAX_COUNT),
    sentIsCapped: sent > MAX_COUNT,
    lastSentAt,
    waiting,
    waitingMerges,
  };
}
