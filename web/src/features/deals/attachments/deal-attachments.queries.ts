import type { DealAttachment } from '@forecourt/contract/deal-attachments';
import { queryOptions } from '@tanstack/react-query';
import { downloadFile, fetchDataUrl } from '../../../platform/files.ts';
import { freshQuery, useCall } from '../../../platform/read-query.ts';
import { uploadFile } from '../../../platform/uploads.ts';
import type { UploadProgress } from '../../../ui/uploads/use-uploads.ts';

export const dealAttachmentsKey = ['deal-attachments'] as const;

export const dealAttachmentsQuery = (id: string) =>
  freshQuery([...dealAttachmentsKey, id], 'GET /deals/:id/attachments', { params: { id } });

const FILE = '/deals/:id/attachments/:attachmentId';

/** An image as a `data:` URL. It never changes. */
export const dealImageQuery = (id: string, attachmentId: string) =>
  queryOptions({
    queryKey: ['deal-image', id, attachmentId],
    queryFn: ({ signal }) => fetchDataUrl(FILE, { id, attachmentId }, signal),
    staleTime: Infinity,
  });

export const addDealAttachment = (id: string, file: File, how: UploadProgress): Promise<DealAttachment> =>
  uploadFile({ path: `/deals/${id}/attachments`, field: 'file', file, ...how });

export const downloadDealAttachment = (id: string, { _id, name }: DealAttachment): Promise<void> =>
  downloadFile(FILE, { id, attachmentId: _id }, name);

export const useRemoveDealAttachment = () =>
  useCall(dealAttachmentsKey, 'DELETE /deals/:id/attachments/:attachmentId');
