import { readStored, tableKey, writeStored } from '../../platform/storage-keys.ts';
import { filtersFrom, noFilters, type DealFilters } from './deal-filters.ts';
import type { DealSort } from './deal-order.ts';

/** What a person last had in Data Entry on this computer, beside the columns, which the grid keeps. */
export type KeptArrangement = {
  /** The saved view that it was made from; null: all deals. */
  readonly viewId: string | null;
  /** Whether it differs from that view. */
  readonly changed: boolean;
  readonly filters: DealFilters;
  readonly sort: DealSort | null;
};

const keyOf = (userId: string) => tableKey('data-entry', userId);

export const keepArrangement = (userId: string, kept: KeptArrangement): void =>
  writeStored(keyOf(userId), JSON.stringify(kept));

/** Each part counts only if it has the shape it was written with. */
export function keptArrangement(userId: string): KeptArrangement {
  const { viewId, changed, filters, sort } = parsed(readStored(keyOf(userId)));
  return {
    viewId: typeof viewId === 'string' ? viewId : null,
    changed: changed === true,
    filters: isObject(filters) ? filtersFrom(filters) : noFilters,
    sort: isSort(sort) ? sort : null,
  };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isSort = (value: unknown): value is DealSort =>
  isObject(value) &&
  typeof value['columnId'] === 'string' &&
  ['ascending', 'descending', 'other'].includes(String(value['direction'])) &&
  ['string', 'undefined'].includes(typeof value['first']);
