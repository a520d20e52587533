import type { Sent } from '@forecourt/contract/api';
import type { EmailTemplateInput } from '@forecourt/contract/email-templates';
import type { TemplateImage } from '@forecourt/contract/template-images';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { fetchDataUrl } from '../../platform/files.ts';
import { uploadFile } from '../../platform/uploads.ts';

/** Everything about templates lies under this key. */
export const templatesKey = ['email-templates'] as const;

const oneKey = (id: string) => [...templatesKey, 'one', id] as const;

/** Every template that this person may use, by name and without bodies. */
export const templatesQuery = queryOptions({
  queryKey: [...templatesKey, 'list'],
  queryFn: ({ signal }) => call('GET /email-templates', { signal }),
});

/** One template with its body. Fresh for a moment, so that a new one is not asked for right after it was saved. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call('GET /email-templates/:id', { params: { id }, signal }),
    staleTime: 2000,
  });

/** How many dealerships use each template. */
export const templateUsesQuery = queryOptions({
  queryKey: [...templatesKey, 'uses'],
  queryFn: ({ signal }) => call('GET /email-templates/usage', { signal }),
});

/** Where one template is used. */
export const templateUsageQuery = (id: string) =>
  queryOptions({
    queryKey: [...oneKey(id), 'usage'],
    queryFn: ({ signal }) => call('GET /email-templates/:id/usage', { params: { id }, signal }),
    staleTime: 0,
  });

/** The saved states of a template, newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...oneKey(id), 'versions'],
    queryFn: ({ signal }) => call('GET /email-templates/:id/versions', { params: { id }, signal }),
  });

/** One saved state with all that it says, which never changes. */
export const versionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: [...oneKey(id), 'version', number],
    queryFn: ({ signal }) =>
      call('GET /email-templates/:id/versions/:number', { params: { id, number: String(number) }, signal }),
    staleTime: Infinity,
  });

type SaveTemplate = { id: string | undefined; input: EmailTemplateInput; idempotencyKey: string };

/** Adds a template, or changes the one with this id. */
export function useSaveTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, input, idempotencyKey }: SaveTemplate) =>
      id === undefined
        ? call('POST /email-templates', { body: input, idempotencyKey })
        : call('PUT /email-templates/:id', { params: { id }, body: input, idempotencyKey }),
    onSuccess: async (saved) => {
      client.setQueryData(templateQuery(saved._id).queryKey, saved);
      await Promise.all([
        client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
        client.invalidateQueries({ queryKey: versionsQuery(saved._id).queryKey }),
      ]);
    },
  });
}

type RestoreVersion = { id: string; number: number; version: number };

/** Brings an earlier version back as the newest one; `version` is the newest that the person has seen. */
export function useRestoreVersion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, number, version }: RestoreVersion) =>
      call('POST /email-templates/:id/versions/:number/restore', {
        params: { id, number: String(number) },
        body: { version },
      }),
    onSuccess: (restored) => client.setQueryData(templateQuery(restored._id).queryKey, restored),
    onSettled: (_, _error, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
        client.invalidateQueries({ queryKey: versionsQuery(id).queryKey }),
      ]),
  });
}

export function useDeleteTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /email-templates/:id', { params: { id } }),
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: oneKey(id) });
      return client.invalidateQueries({ queryKey: templatesKey });
    },
  });
}

function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: templatesKey }) });
}

type Share = { id: string } & Sent<'PUT /email-templates/:id/sharing', 'body'>;

/** Replaces who a template is shared with. */
export const useShareTemplate = () =>
  useChange(({ id, ...body }: Share) => call('PUT /email-templates/:id/sharing', { params: { id }, body }));

/** Gives templates to another owner. */
export const useTransferTemplate = () =>
  useChange((body: Sent<'POST /email-templates/transfer-ownership', 'body'>) =>
    call('POST /email-templates/transfer-ownership', { body }),
  );

/** An image of a template, ready to be shown. It never changes, whatever happens to templates. */
export const imageQuery = (id: string) =>
  queryOptions({
    queryKey: ['template-images', id],
    queryFn: ({ signal }) => fetchDataUrl('/email-templates/images/:id', { id }, signal),
    staleTime: Infinity,
    retry: false,
  });

type AddImage = { onProgress?: (percent: number) => void; signal?: AbortSignal };

/** Adds an image for templates; the server recognises it by its content. */
export const addImage = (
  file: File,
  { onProgress = () => undefined, ...how }: AddImage = {},
): Promise<TemplateImage> =>
  uploadFile({ path: '/email-templates/images', field: 'image', file, onProgress, ...how });

/** The message as it would go out from a template that need not be saved. */
export const previewQuery = (asked: Sent<'POST /email-templates/preview', 'body'> | null) =>
  queryOptions({
    queryKey: [...templatesKey, 'preview', asked],
    queryFn:
      asked === null
        ? skipToken
        : ({ signal }) => call('POST /email-templates/preview', { body: asked, signal }),
    placeholderData: (previous) => previous,
    staleTime: 0,
    gcTime: 0,
  });

/** Deals to try a template on, newest first, 20 at a time. */
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
