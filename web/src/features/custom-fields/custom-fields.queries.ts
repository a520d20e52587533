import type { RequestPart } from '@forecourt/contract/api';
import { call } from '../../platform/api.ts';
import { readQuery, useChange, useReorder } from '../../platform/read-query.ts';

export const customFieldsKey = ['custom-fields'] as const;

/** Every custom field in order, including retired ones; for administrators. */
export const customFieldsQuery = readQuery(customFieldsKey, 'GET /custom-fields');

/** The body of a save; with a version for a change. */
export type CustomFieldBody = RequestPart<'POST /custom-fields', 'body'>;

type SaveCustomField = { id: string | undefined; input: CustomFieldBody; idempotencyKey: string };

export const useSaveCustomField = () =>
  useChange(customFieldsKey, ({ id, input, idempotencyKey }: SaveCustomField) =>
    id === undefined
      ? call('POST /custom-fields', { body: input, idempotencyKey })
      : call('PUT /custom-fields/:id', { params: { id }, body: input, idempotencyKey }),
  );

export const useReorderCustomFields = () =>
  useReorder(customFieldsQuery, (ids) => call('POST /custom-fields/reorder', { body: { ids } }));
