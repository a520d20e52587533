import type { RequestPart } from '@forecourt/contract/api';
import type { EmailTemplateInput } from '@forecourt/contract/email-templates';
import type { TemplateImage } from '@forecourt/contract/template-images';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
} from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { templatesKey, templatesQuery } from '../../platform/directory.ts';
import { fetchDataUrl } from '../../platform/files.ts';
import { queryClient, storeResponse } from '../../platform/query-client.ts';
import { freshQuery, readQuery } from '../../platform/read-query.ts';
import { uploadFile } from '../../platform/uploads.ts';
import type { UploadProgress } from '../../ui/uploads/use-uploads.ts';

const oneKey = (id: string) => [...templatesKey, 'one', id] as const;

/** One template with its body. Fresh for a moment, so that a new one is not requested right after it was saved. */
export const templateQuery = (id: string) => ({
  ...readQuery(oneKey(id), 'GET /email-templates/:id', { params: { id } }),
  staleTime: 2000,
});

export const templateUsesQuery = readQuery([...templatesKey, 'uses'], 'GET /email-templates/usage');

export const templateUsageQuery = (id: string) =>
  freshQuery([...oneKey(id), 'usage'], 'GET /email-templates/:id/usage', { params: { id } });

/** Newest first. */
export const versionsQuery = (id: string) =>
  readQuery([...oneKey(id), 'versions'], 'GET /email-templates/:id/versions', { params: { id } });

/** A saved version with its content, which never changes. */
export const versionQuery = (id: string, number: number) => ({
  ...readQuery([...oneKey(id), 'version', number], 'GET /email-templates/:id/versions/:number', {
    params: { id, number: String(number) },
  }),
  staleTime: Infinity,
});

const reloadVersions = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: versionsQuery(id).queryKey }),
  ]);

type SaveTemplate = { id: string | undefined; input: EmailTemplateInput; idempotencyKey: string };

export const useSaveTemplate = () =>
  useMutation({
    mutationFn: ({ id, input, idempotencyKey }: SaveTemplate) =>
      id === undefined
        ? call('POST /email-templates', { body: input, idempotencyKey })
        : call('PUT /email-templates/:id', { params: { id }, body: input, idempotencyKey }),
    onSuccess: (saved) => {
      storeResponse(templateQuery(saved._id).queryKey, saved);
      return reloadVersions(saved._id);
    },
  });

type RestoreVersion = { id: string; number: number; version: number };

/** Restores an earlier version as the newest one. `version` is the newest one that the user has loaded. */
export const useRestoreVersion = () =>
  useMutation({
    mutationFn: ({ id, number, version }: RestoreVersion) =>
      call('POST /email-templates/:id/versions/:number/restore', {
        params: { id, number: String(number) },
        body: { version },
      }),
    onSuccess: (restored) => storeResponse(templateQuery(restored._id).queryKey, restored),
    onSettled: (_, _error, { id }) => reloadVersions(id),
  });

export const useDeleteTemplate = () =>
  useMutation({
    mutationFn: (id: string) => call('DELETE /email-templates/:id', { params: { id } }),
    onSuccess: (_, id) => {
      queryClient.removeQueries({ queryKey: oneKey(id) });
      return queryClient.invalidateQueries({ queryKey: templatesKey });
    },
  });

export const templateSharing = {
  key: templatesKey,
  share: 'PUT /email-templates/:id/sharing',
  transfer: 'POST /email-templates/transfer-ownership',
} as const;

/** An image of a template as a data URL. It never changes. */
export const imageQuery = (id: string) =>
  queryOptions({
    queryKey: ['template-images', id],
    queryFn: ({ signal }) => fetchDataUrl('/email-templates/images/:id', { id }, signal),
    staleTime: Infinity,
  });

/** Uploads an image. The server detects its type from its content. */
export const addImage = (file: File, how?: UploadProgress): Promise<TemplateImage> =>
  uploadFile({ path: '/email-templates/images', field: 'image', file, ...how });

/** The message of a template that may be unsaved. */
export const previewQuery = (input: RequestPart<'POST /email-templates/preview', 'body'> | null) =>
  queryOptions({
    queryKey: [...templatesKey, 'preview', input],
    queryFn:
      input === null
        ? skipToken
        : ({ signal }) => call('POST /email-templates/preview', { body: input, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

/** Deals for the preview, newest first, 20 per page. */
export const sampleDealsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...templatesKey, 'sample-deals', search],
    queryFn: ({ signal, pageParam: cursor }) =>
      call('GET /deals', {
        query: { limit: '20', ...(search !== '' && { search }), ...(cursor !== null && { cursor }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
