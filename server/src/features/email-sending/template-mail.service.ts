import type { Context } from '../../platform/http/context.ts';
import { onlySender } from './email-sending.policy.ts';
import { countSent, countWaiting } from './template-mail.queries.ts';

/** Counting ends here: the list behind it has pages. */
const MOST = 10_000;

/** What was sent with a template and what still waits: the own emails, for administrators all. */
export async function mailOfTemplate({ db, viewer }: Context, templateId: string) {
  const whose = { templateId, senderId: onlySender(viewer) };
  const { sent, lastSentAt } = await countSent(db, whose, MOST + 1);
  const { waiting, waitingMerges } = await countWaiting(db, whose);
  return { sent: Math.min(sent, MOST), sentIsCapped: sent > MOST, lastSentAt, waiting, waitingMerges };
}
