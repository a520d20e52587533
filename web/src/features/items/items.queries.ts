import type { ItemChanges } from '@forecourt/contract/items';
import { call } from '../../platform/api.ts';
import { readQuery, useCall, useChange, useReorder } from '../../platform/read-query.ts';

export const itemsKey = ['items'] as const;

/** Every item that the user may see, in order. */
export const itemsQuery = readQuery(itemsKey, 'GET /item-configurations');

type SaveItem = { id: string | undefined; input: ItemChanges; idempotencyKey: string };

export const useSaveItem = () =>
  useChange(itemsKey, ({ id, input, idempotencyKey }: SaveItem) =>
    id === undefined
      ? call('POST /item-configurations', { body: input, idempotencyKey })
      : call('PUT /item-configurations/:id', { params: { id }, body: input, idempotencyKey }),
  );

export const useDeleteItem = () =>
  useChange(itemsKey, (id: string) => call('DELETE /item-configurations/:id', { params: { id } }));

export const useReorderItems = () =>
  useReorder(itemsQuery, (ids) => call('POST /item-configurations/reorder', { body: { ids } }));

export const useShareItem = () => useCall(itemsKey, 'PUT /item-configurations/:id/sharing');

export const useTransferItem = () => useCall(itemsKey, 'POST /item-configurations/transfer-ownership');
