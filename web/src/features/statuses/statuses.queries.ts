import type { RequestPart } from '@forecourt/contract/api';
import { call } from '../../platform/api.ts';
import { readQuery, useCall, useChange, useReorder, useSave } from '../../platform/read-query.ts';

export const statusesKey = ['statuses'] as const;

/** Every status that the user may see, in the order of the status cycle. */
export const statusesQuery = readQuery(statusesKey, 'GET /status-configurations');

/** The body of a save; `version` only for a change. */
export type StatusBody = RequestPart<'POST /status-configurations', 'body'> & { version?: number };

export const useSaveStatus = () =>
  useSave(statusesKey, 'POST /status-configurations', 'PUT /status-configurations/:id');

export const useDeleteStatus = () =>
  useChange(statusesKey, ({ id, replacement }: { id: string; replacement: string }) =>
    call('DELETE /status-configurations/:id', {
      params: { id },
      query: replacement === '' ? {} : { replacement },
    }),
  );

export const useCountOnly = () => useCall(statusesKey, 'PUT /status-configurations/commission');

export const useReorderStatuses = () => useReorder(statusesQuery, 'POST /status-configurations/reorder');
