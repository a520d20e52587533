import type { Sent } from '@forecourt/contract/api';
import type { Attachment } from '@forecourt/contract/email-attachments';
import type { EmailLogEntry, MergePer } from '@forecourt/contract/email-sending';
import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { downloadFile } from '../../platform/files.ts';
import { uploadFile } from '../../platform/uploads.ts';

/** Everything about messages lies under this key: `useLiveRefresh('email', emailKey)`. */
export const emailKey = ['email'] as const;

export type LogFilter = Omit<Sent<'GET /email/logs', 'query'>, 'page' | 'limit'>;

/** Rows of one page of the log (spec section 9). */
export const LOG_PAGE_SIZE = 50;

/** One page of sent and waiting messages, newest first. The page before stays in sight while the next one loads. */
export const emailLogsQuery = (page: number, filter: LogFilter = {}) =>
  queryOptions({
    queryKey: [...emailKey, 'logs', page, filter],
    queryFn: ({ signal }) =>
      call('GET /email/logs', {
        query: { ...filter, page: String(page), limit: String(LOG_PAGE_SIZE) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** One message word for word. */
export const emailMessageQuery = (id: string) =>
  queryOptions({
    queryKey: [...emailKey, 'message', id],
    queryFn: ({ signal }) => call('GET /email/logs/:id', { params: { id }, signal }),
  });

/** The templates that may be sent about a deal, the dealership's default first. */
export const usableTemplatesQuery = (dealId: string) =>
  queryOptions({
    queryKey: [...emailKey, 'templates', dealId],
    queryFn: ({ signal }) => call('GET /deals/:id/templates', { params: { id: dealId }, signal }),
    staleTime: 0,
  });

/** The message about a deal as it would go out now, written with this template; null: none is chosen yet. */
export const previewQuery = (dealId: string, templateId: string | null) =>
  queryOptions({
    queryKey: [...emailKey, 'preview', dealId, templateId],
    queryFn:
      templateId === null
        ? skipToken
        : ({ signal }) => call('POST /email-templates/preview', { body: { dealId, templateId }, signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

type SendInput = {
  templateId: string;
  body: Sent<'POST /email-templates/:templateId/send', 'body'>;
  /** Made once for each intention to send, so that a lost answer never sends twice. */
  idempotencyKey: string;
};

/** Queues a message. Answers its log entry, which says until when it can be called back. */
export function useSendEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ templateId, body, idempotencyKey }: SendInput): Promise<EmailLogEntry> =>
      call('POST /email-templates/:templateId/send', { params: { templateId }, body, idempotencyKey }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...emailKey, 'logs'] }),
  });
}

/** Calls back a message that still waits. Needs no component: it is also behind the button of a toast. */
export const cancelEmail = (id: string): Promise<EmailLogEntry> =>
  call('POST /email/logs/:id/cancel', { params: { id } });

/** The same for a list: its rows are loaded again. */
export function useCancelEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelEmail,
    onSettled: () => client.invalidateQueries({ queryKey: emailKey }),
  });
}

/** Tries a message again that has failed. */
export function useRetryEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /email/logs/:id/retry', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: emailKey }),
  });
}

/** The messages about these deals as they would go out now; '' takes each dealership's default template. */
export const mergeReviewQuery = (dealIds: readonly string[], per: MergePer, templateId: string) =>
  queryOptions({
    queryKey: [...emailKey, 'merge', dealIds, per, templateId],
    queryFn: ({ signal }) =>
      call('POST /deals/bulk/email/review', {
        body: { ids: [...dealIds], per, ...(templateId !== '' && { templateId }) },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  });

type MergeInput = { body: Sent<'POST /deals/bulk/email', 'body'>; idempotencyKey: string };

/** Queues the messages of a merge. */
export const useMerge = () =>
  useMutation({
    mutationFn: ({ body, idempotencyKey }: MergeInput) =>
      call('POST /deals/bulk/email', { body, idempotencyKey }),
  });

/** How the messages of a merge stand. */
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [...emailKey, 'batch', id],
    queryFn: ({ signal }) => call('GET /email/batches/:id', { params: { id }, signal }),
    staleTime: 0,
  });

/** Calls back what of a merge waits, or tries again what has failed. */
export function useChangeBatch(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'cancel' | 'retry') => call(`POST /email/batches/:id/${what}`, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: emailKey }),
  });
}

type AddAttachment = { onProgress: (percent: number) => void; signal: AbortSignal };

/** Adds a file that a send can name. */
export const addAttachment = (file: File, how: AddAttachment): Promise<Attachment> =>
  uploadFile({ path: '/email/attachments', field: 'file', file, ...how });

/** Removes one that was not sent, also while the page is being left. */
export const removeAttachment = (id: string) =>
  call('DELETE /email/attachments/:id', { params: { id }, keepalive: true });

/** Gives the browser a file of a message to keep. */
export const downloadAttachment = (id: string, { _id, name }: Attachment): Promise<void> =>
  downloadFile('/email/logs/:id/attachments/:attachmentId', { id, attachmentId: _id }, name);

/** The state of one message, asked for without keeping the session alive. */
export const emailLogEntry = (id: string): Promise<EmailLogEntry> =>
  call('GET /email/logs/:id', { params: { id }, background: true });
