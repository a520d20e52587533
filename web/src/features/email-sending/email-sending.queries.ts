import type { RequestPart } from '@forecourt/contract/api';
import type { Attachment } from '@forecourt/contract/email-attachments';
import type { EmailLogEntry, EmailStatus, MergePer, MessageNote } from '@forecourt/contract/email-sending';
import { keepPreviousData, queryOptions, skipToken, useMutation } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { downloadFile } from '../../platform/files.ts';
import { freshQuery, readQuery, useAttempt, useCall } from '../../platform/read-query.ts';
import { uploadFile } from '../../platform/uploads.ts';
import type { UploadProgress } from '../../ui/uploads/use-uploads.ts';

/** Key prefix of all queries of messages: `useLiveRefresh('email', emailKey)`. */
export const emailKey = ['email'] as const;

export type LogFilter = Omit<RequestPart<'GET /email/logs', 'query'>, 'page' | 'limit'>;

export const LOG_PAGE_SIZE = 50;

/** A page of sent and queued messages, newest first. The previous page stays visible while the next one loads. */
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

export const emailMessageQuery = (id: string) =>
  readQuery([...emailKey, 'message', id], 'GET /email/logs/:id', { params: { id } });

export const heldMailQuery = readQuery([...emailKey, 'held'], 'GET /backups/held-mail');

export const settleHeldMail = (what: 'release' | 'discard') => call(`POST /backups/held-mail/${what}`);

/** The templates that a user may choose for a deal, the dealership's default first. */
export const usableTemplatesQuery = (dealId: string) =>
  freshQuery([...emailKey, 'templates', dealId], 'GET /deals/:id/templates', { params: { id: dealId } });

/** The current message about a deal with this template and note; disabled until a template is chosen. */
export const previewQuery = (dealId: string, templateId: string | null, note: MessageNote | null) =>
  queryOptions({
    queryKey: [...emailKey, 'preview', dealId, templateId, note],
    queryFn:
      templateId === null
        ? skipToken
        : ({ signal }) =>
            call('POST /email-templates/preview', {
              body: { dealId, templateId, ...(note && { note }) },
              signal,
            }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

/**
 * Queues a message. Returns its log entry with the time until which it can be cancelled. The key belongs to one
 * intention to send, so that a lost response never sends twice; a test has none.
 */
export const useSendEmail = () => useCall([...emailKey, 'logs'], 'POST /email-templates/:templateId/send');

/**
 * Returns why a message was not sent: the server's details, which name the problem, otherwise its message
 * (docs/product/screens.md, Failed calls). The details of a refused permission are a reason code.
 */
export function sendFailure(thrown: unknown): string {
  const isSentence = thrown instanceof ApiError && thrown.status !== 403;
  return (isSentence && thrown.details) || messageOf(thrown);
}

/** Whether the state of a message is final unless a user retries it. */
export const hasEnded = (status: EmailStatus): boolean => !['queued', 'sending', 'retrying'].includes(status);

/** Cancels a message. This is not a hook, because a toast calls it too. */
export const cancelEmail = (id: string): Promise<EmailLogEntry> =>
  call('POST /email/logs/:id/cancel', { params: { id } });

export const useCancelEmail = () => useAttempt(emailKey, cancelEmail);

export const useRetryEmail = () =>
  useAttempt(emailKey, (id: string) => call('POST /email/logs/:id/retry', { params: { id } }));

/** The current messages about these deals. An empty template id means each dealership's default. */
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

export const useMerge = () =>
  useMutation({
    mutationFn: (request: { body: RequestPart<'POST /deals/bulk/email', 'body'>; idempotencyKey: string }) =>
      call('POST /deals/bulk/email', request),
  });

export const batchQuery = (id: string) =>
  freshQuery([...emailKey, 'batch', id], 'GET /email/batches/:id', { params: { id } });

/** Cancels the queued messages of a merge, or retries its failed ones. */
export const useChangeBatch = (id: string) =>
  useAttempt(emailKey, (what: 'cancel' | 'retry') =>
    call(`POST /email/batches/:id/${what}`, { params: { id } }),
  );

/** Uploads a file that a request to send can reference. */
export const addAttachment = (file: File, how: UploadProgress): Promise<Attachment> =>
  uploadFile({ path: '/email/attachments', field: 'file', file, ...how });

/** Copies a file of a deal to one that a request to send can reference. */
export const copyAttachment = (
  dealId: string,
  attachmentId: string,
  signal: AbortSignal,
): Promise<Attachment> => call('POST /email/attachments/copy', { body: { dealId, attachmentId }, signal });

/** Removes a file that was not sent, even while the page is unloading. */
export const removeAttachment = (id: string) =>
  call('DELETE /email/attachments/:id', { params: { id }, keepalive: true });

export const downloadAttachment = (id: string, { _id, name }: Attachment): Promise<void> =>
  downloadFile('/email/logs/:id/attachments/:attachmentId', { id, attachmentId: _id }, name);

/** The state of a message, loaded by a background request that does not extend the session. */
export const emailLogEntry = (id: string): Promise<EmailLogEntry> =>
  call('GET /email/logs/:id', { params: { id }, background: true });
