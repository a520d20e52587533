import type { EmailStatus } from '@forecourt/contract/email-sending';
import { instantsOf } from '../../platform/days.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import type { LogFilter } from './email-sending.queries.ts';

const NAMES = [
  'userId',
  'templateId',
  'dealershipId',
  'dealId',
  'batch',
  'status',
  'search',
  'fromDay',
  'toDay',
] as const;

/** What the history is filtered by, as its address carries it. Days are `2026-11-20` on the viewer's clock. */
export type HistoryFilter = Partial<Record<(typeof NAMES)[number], string>>;

const isStatus = (text: string | undefined): text is EmailStatus => text !== undefined && text in statusTexts;

/** Leaves out what is empty or none of the filters. */
export const readFilter = (asked: Readonly<Record<string, string | undefined>>): HistoryFilter =>
  Object.fromEntries(
    NAMES.flatMap((name) =>
      asked[name] && (name !== 'status' || isStatus(asked[name])) ? [[name, asked[name]]] : [],
    ),
  );

/** The same as the server is asked: both days included. */
export const askedOf = ({ batch, status, fromDay, toDay, ...filter }: HistoryFilter): LogFilter => ({
  ...filter,
  ...(batch && { batchId: batch }),
  ...(isStatus(status) && { status }),
  ...instantsOf({ fromDay, toDay }),
});
