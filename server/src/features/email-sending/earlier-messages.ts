import type { EarlierMessage } from '@forecourt/contract/email-templates';
import type { Context, Viewer, TxContext } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { canSeeMessage } from './email-sending.policy.ts';
import * as queries from './email-sending.queries.ts';
import type { Composed } from './message-composer.ts';

/** Whether a message is about deals, uses a saved template and is not a test. */
const isAboutDeals = ({ deals, source, isTest }: Composed) =>
  deals.length > 0 && source.id !== null && !isTest;

type EarlierMessages = ReadonlyMap<string, EarlierMessage>;

/**
 * Returns earlier messages, sent or queued by any sender, with the same template about the same deal. Messages without
 * an earlier one are absent.
 */
export async function findEarlier(
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
  messages: Composed[],
): Promise<Map<Composed, EarlierMessages>> {
  const earlier = new Map<Composed, EarlierMessages>();
  for (const [templateId, group] of Map.groupBy(messages.filter(isAboutDeals), ({ source }) => source.id!)) {
    const rows = await queries.findEarlier(db, group.flatMap(dealIdsOf), templateId);
    const byDeal = new Map(rows.map((row) => [row.deal_id, present(viewer, row)]));
    for (const message of group) {
      const ids = dealIdsOf(message).filter((id) => byDeal.has(id));
      if (ids.length > 0) earlier.set(message, new Map(ids.map((id) => [id, byDeal.get(id)!])));
    }
  }
  return earlier;
}

export const firstEarlier = (earlier: EarlierMessages | undefined): EarlierMessage | null =>
  earlier?.values().next().value ?? null;

const dealIdsOf = ({ deals }: Composed) => deals.map(({ _id }) => _id);

/**
 * Throws ALREADY_SENT with the first earlier message. Locks sending about these deals until the transaction ends.
 * @param again ids of deals about which messages may be repeated
 */
export async function requireNoEarlier(
  ctx: TxContext,
  messages: Composed[],
  again: ReadonlySet<string> = new Set(),
): Promise<void> {
  await queries.lockMailOf(ctx.db, messages.filter(isAboutDeals).flatMap(dealIdsOf));
  const repetitions = [...(await findEarlier(ctx, messages))].flatMap(([message, earlier]) =>
    [...earlier].map(([dealId, current]) => ({ message, dealId, current })),
  );
  const first = repetitions.find(({ dealId }) => !again.has(dealId));
  if (!first) return;
  const { message, dealId, current } = first;
  const customer = message.deals.find(({ _id }) => _id === dealId)?.customerName;
  throw new AppError('ALREADY_SENT', {
    details: `${current.senderName} has sent ${message.source.content.name}${customer ? ` about ${customer}` : ''} before${current.isUnconfirmed ? ', and it may have arrived' : ''}. Nothing was sent now.`,
    current,
  });
}

const present = (
  viewer: Viewer,
  row: Awaited<ReturnType<typeof queries.findEarlier>>[number],
): EarlierMessage => ({
  senderName: row.sender_name,
  ...(canSeeMessage(viewer, row.sender_id) && { subject: row.subject }),
  createdAt: row.created_at,
  sentAt: row.sent_at,
  isUnconfirmed: row.status === 'unconfirmed',
});
