import type { Sent } from '@forecourt/contract/api';
import type { EmailTemplateInput } from '@forecourt/contract/email-templates';
import { queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

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

/** The saved states of a template, newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...oneKey(id), 'versions'],
    queryFn: ({ signal }) => call('GET /email-templates/:id/versions', { params: { id }, signal }),
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

/** Deals to try a template on, newest first. */
export const sampleDealsQuery = (search: string) =>
  queryOptions({
    queryKey: [...templatesKey, 'sample-deals', search],
    queryFn: ({ signal }) =>
      call('GET /deals', { query: { limit: '20', ...(search === '' ? {} : { search }) }, signal }),
    placeholderData: (previous) => previous,
  });
