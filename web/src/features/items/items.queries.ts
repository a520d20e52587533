import { readQuery, useCall, useReorder, useSave } from '../../platform/read-query.ts';

const itemsKey = ['items'] as const;

/** Every item that the user may see, in display order. */
export const itemsQuery = readQuery(itemsKey, 'GET /item-configurations');

export const useSaveItem = () =>
  useSave(itemsKey, 'POST /item-configurations', 'PUT /item-configurations/:id');

export const useDeleteItem = () => useCall(itemsKey, 'DELETE /item-configurations/:id');

export const useReorderItems = () => useReorder(itemsQuery, 'POST /item-configurations/reorder');

export const itemSharing = {
  key: itemsKey,
  share: 'PUT /item-configurations/:id/sharing',
  transfer: 'POST /item-configurations/transfer-ownership',
} as const;
