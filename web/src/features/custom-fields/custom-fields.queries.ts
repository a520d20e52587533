import type { RequestPart } from '@forecourt/contract/api';
import { readQuery, useReorder, useSave } from '../../platform/read-query.ts';

const customFieldsKey = ['custom-fields'] as const;

/** All custom fields in display order, including retired ones; for administrators. */
export const customFieldsQuery = readQuery(customFieldsKey, 'GET /custom-fields');

/** The body of a save; `version` only for a change. */
export type CustomFieldBody = RequestPart<'POST /custom-fields', 'body'>;

export const useSaveCustomField = () =>
  useSave(customFieldsKey, 'POST /custom-fields', 'PUT /custom-fields/:id');

export const useReorderCustomFields = () => useReorder(customFieldsQuery, 'POST /custom-fields/reorder');
