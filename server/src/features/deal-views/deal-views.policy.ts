import { isDeepStrictEqual } from 'node:util';
import { MAX_VIEW_NAME_LENGTH, type Arrangement, type ViewSort } from '@forecourt/contract/deal-views';
import type { ViewColumnName } from '@forecourt/contract/permission-defaults';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage } from '../../platform/http/policy.ts';

/** Views require the Data Entry page. */
export const canOpen = (viewer: Viewer): boolean => dataEntryPage.allows?.(viewer) === true;

/** A view is changed by its owner and by administrators (docs/product/data-entry.md, Columns and saved views). */
export function abilities(viewer: Viewer, view: { owner_id: string }) {
  const mine: Ability = viewer.role === 'admin' || view.owner_id === viewer.userId ? true : 'NOT_VIEW_OWNER';
  return { edit: mine, delete: mine };
}

/** What exists for a viewer of what a view can reference: columns by name, statuses, dealerships and owners by id. */
export type VisibleOptions = {
  columns: ReadonlySet<ViewColumnName>;
  statuses: ReadonlySet<string>;
  dealerships: ReadonlySet<string>;
  owners: ReadonlySet<string>;
};

const sortExists = (sort: ViewSort, options: VisibleOptions): boolean =>
  options.columns.has(sort.column) && (sort.column !== 'status' || options.statuses.has(sort.firstStatusId));

const filterExists = {
  statusId: (id: string, options: VisibleOptions) =>
    options.columns.has('status') && options.statuses.has(id),
  dealershipId: (id: string, options: VisibleOptions) =>
    options.columns.has('dealershipId') && options.dealerships.has(id),
  ownerId: (id: string, options: VisibleOptions) => options.columns.has('owner') && options.owners.has(id),
} as const;
type FilterName = keyof typeof filterExists;
const filterNames = Object.keys(filterExists) as FilterName[];

/** Returns a view without references hidden from the viewer, and without traces of them. */
export function withoutHidden(options: VisibleOptions, { filters, sort, columns }: Arrangement): Arrangement {
  const seen = (name: FilterName): string | null => {
    const id = filters[name];
    return id !== null && filterExists[name](id, options) ? id : null;
  };
  return {
    filters: {
      statusId: seen('statusId'),
      dealershipId: seen('dealershipId'),
      ownerId: seen('ownerId'),
    },
    sort: sort && sortExists(sort, options) ? sort : null,
    columns: columns.filter(({ column }) => options.columns.has(column)),
  };
}

/** Returns the first field of an arrangement with an unknown reference; undefined when all are known to the user. */
export function findUnknownField(
  options: VisibleOptions,
  { filters, sort, columns }: Arrangement,
): string | undefined {
  if (columns.some(({ column }) => !options.columns.has(column))) return 'columns';
  if (sort && !sortExists(sort, options)) return 'sort';
  const wrong = filterNames.some((name) => {
    const id = filters[name];
    return id !== null && !filterExists[name](id, options);
  });
  return wrong ? 'filters' : undefined;
}

/** Applies changes to the visible parts of a view and preserves the hidden ones. An arrangement sent back unchanged changes nothing. */
export function mergeArrangement(
  options: VisibleOptions,
  stored: Arrangement,
  input: Arrangement,
): Arrangement {
  const seen = withoutHidden(options, stored);
  if (isDeepStrictEqual(seen, input)) return stored;
  const hidden = (name: FilterName): string | null =>
    seen.filters[name] === null ? stored.filters[name] : null;
  return {
    filters: {
      statusId: input.filters.statusId ?? hidden('statusId'),
      dealershipId: input.filters.dealershipId ?? hidden('dealershipId'),
      ownerId: input.filters.ownerId ?? hidden('ownerId'),
    },
    sort: input.sort ?? (seen.sort === null ? stored.sort : null),
    columns: [...input.columns, ...stored.columns.filter(({ column }) => !options.columns.has(column))],
  };
}

/** Returns `Mine`, or `Mine 2` when it is taken: view names of one owner differ, ignoring case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const free = name.slice(0, MAX_VIEW_NAME_LENGTH - ending.length) + ending;
    if (!used.has(free.toLowerCase())) return free;
  }
}
