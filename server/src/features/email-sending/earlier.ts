import type { EarlierMessage } from '@forecourt/contract/email-templates';
import type { Db, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Composed } from './composing.ts';
import * as queries from './email-sending.queries.ts';

/** What sending one of these for the first time would be: about deals, with a saved template, and no test. */
const isAboutDeals = ({ deals, source, isTest }: Composed) =>
  deals.length > 0 && source.id !== null && !isTest;

/** The earlier messages that a message would repeat, by the deals that they were about. */
export type EarlierMessages = ReadonlyMap<string, EarlierMessage>;

/**
 * What went out before or is on its way: with the same template about the same deal, whoever sent it. Answers it for
 * each of these messages that has any.
 */
export async function findEarlier(
  db: Db | Tx,
  messages: Composed[],
): Promise<Map<Composed, EarlierMessages>> {
  const earlier = new Map<Composed, EarlierMessages>();
  for (const [templateId, alike] of Map.groupBy(messages.filter(isAboutDeals), ({ source }) => source.id!)) {
    const rows = await queries.findEarlier(db, alike.flatMap(dealIdsOf), templateId);
    const byDeal = new Map(rows.map((row) => [row.deal_id, present(row)]));
    for (const message of alike) {
      const ids = dealIdsOf(message).filter((id) => byDeal.has(id));
      if (ids.length > 0) earlier.set(message, new Map(ids.map((id) => [id, byDeal.get(id)!])));
    }
  }
  return earlier;
}

/** The first of them, where one is enough to tell. */
export const firstEarlier = (earlier: EarlierMessages | undefined): EarlierMessage | null =>
  earlier?.values().next().value ?? null;

const dealIdsOf = ({ deals }: Composed) => deals.map(({ _id }) => _id);

/** Throws ALREADY_SENT with the first earlier message. Until the transaction ends nobody else sends about these. */
export async function requireFirst(db: Tx, messages: Composed[]): Promise<void> {
  await queries.holdMailOf(db, messages.filter(isAboutDeals).flatMap(dealIdsOf));
  const [first] = await findEarlier(db, messages);
  if (!first) return;
  const [message, earlier] = first;
  const [[dealId, current]] = [...earlier] as [[string, EarlierMessage]];
  const about = message.deals.find(({ _id }) => _id === dealId)?.customerName;
  throw new AppError('ALREADY_SENT', {
    details: `${current.senderName} has sent ${message.source.content.name}${about ? ` about ${about}` : ''} before. Nothing was sent now.`,
    current,
  });
}

const present = (row: Awaited<ReturnType<typeof queries.findEarlier>>[number]): EarlierMessage => ({
  senderName: row.sender_name,
  subject: row.subject,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});
