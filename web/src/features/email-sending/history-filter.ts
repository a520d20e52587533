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

/** The filters in the URL. Days are `2026-11-20` in the browser's zone. */
export type HistoryFilter = Partial<Record<(typeof NAMES)[number], string>>;

const isStatus = (text: string | undefined): text is EmailStatus => text !== undefined && text in statusTexts;

export const readFilter = (search: Readonly<Record<string, string | undefined>>): HistoryFilter =>
  Object.fromEntries(
    NAMES.flatMap((name) =>
      search[name] && (name !== 'status' || isStatus(search[name])) ? [[name, search[name]]] : [],
    ),
  );

/** Returns the filters for the server. `toDay` is included. */
export const queryOf = ({ batch, status, fromDay, toDay, ...filter }: HistoryFilter): LogFilter => ({
  ...filter,
  ...(batch && { batchId: batch }),
  ...(isStatus(status) && { status }),
  ...instantsOf({ fromDay, toDay }),
});
