import type { RequestPart } from '@forecourt/contract/api';
import { call } from '../../platform/api.ts';
import { readQuery, useCall, useChange, useReorder } from '../../platform/read-query.ts';

export const statusesKey = ['statuses'] as const;

/** Every status that the user may see, in the order of the status cycle. */
export const statusesQuery = readQuery(statusesKey, 'GET /status-configurations');

/** The body of a save; with a version for a change. */
export type StatusBody = RequestPart<'POST /status-configurations', 'body'> & { version?: number };

type SaveStatus = {
  id: string | undefined;
  input: StatusBody;
  idempotencyKey: string;
};

export const useSaveStatus = () =>
  useChange(statusesKey, ({ id, input, idempotencyKey }: SaveStatus) =>
    id === undefined
      ? call('POST /status-configurations', { body: input, idempotencyKey })
      : call('PUT /status-configurations/:id', { params: { id }, body: input, idempotencyKey }),
  );

export const useDeleteStatus = () =>
  useChange(statusesKey, ({ id, replacement }: { id: string; replacement: string }) =>
    call('DELETE /status-configurations/:id', {
      params: { id },
      query: replacement === '' ? {} : { replacement },
    }),
  );

export const useCountOnly = () => useCall(statusesKey, 'PUT /status-configurations/commission');

export const useReorderStatuses = () =>
  useReorder(statusesQuery, (ids) => call('POST /status-configurations/reorder', { body: { ids } }));
