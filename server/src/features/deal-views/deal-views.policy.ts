import { isDeepStrictEqual } from 'node:util';
import type { Arrangement, ViewSort } from '@forecourt/contract/deal-views';
import type { ViewColumnName } from '@forecourt/contract/permission-defaults';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage } from '../../platform/http/policy.ts';

/** Views are for those who have the page. */
export const canOpen = (viewer: Viewer): boolean => dataEntryPage.allows?.(viewer) === true;

/** A view is changed by its owner and by administrators (product.md section 4). */
export function abilities(viewer: Viewer, view: { owner_id: string }) {
  const mine: Ability = viewer.role === 'admin' || view.owner_id === viewer.userId ? true : 'NOT_VIEW_OWNER';
  return { edit: mine, delete: mine };
}

/** What exists for a viewer of what a view can name: columns by name, statuses, dealerships and owners by id. */
export type Known = {
  columns: ReadonlySet<ViewColumnName>;
  statuses: ReadonlySet<string>;
  dealerships: ReadonlySet<string>;
  owners: ReadonlySet<string>;
};

const sortExists = (sort: ViewSort, known: Known): boolean =>
  known.columns.has(sort.column) && (sort.column !== 'status' || known.statuses.has(sort.firstStatusId));

const filterExists = {
  statusId: (id: string, known: Known) => known.columns.has('status') && known.statuses.has(id),
  dealershipId: (id: string, known: Known) => known.columns.has('dealershipId') && known.dealerships.has(id),
  ownerId: (id: string, known: Known) => known.columns.has('owner') && known.owners.has(id),
} as const;
type FilterName = keyof typeof filterExists;
const filterNames = Object.keys(filterExists) as FilterName[];

/** A view as a viewer gets it: what does not exist for them is not in it, and nothing tells that it was. */
export function asSeenBy(known: Known, { filters, sort, columns }: Arrangement): Arrangement {
  const seen = (name: FilterName): string | null => {
    const id = filters[name];
    return id !== null && filterExists[name](id, known) ? id : null;
  };
  return {
    filters: {
      statusId: seen('statusId'),
      dealershipId: seen('dealershipId'),
      ownerId: seen('ownerId'),
    },
    sort: sort && sortExists(sort, known) ? sort : null,
    columns: columns.filter(({ column }) => known.columns.has(column)),
  };
}

/** What is wrong with an arrangement that somebody sends, by field; undefined where all of it exists for them. */
export function unknownIn(known: Known, { filters, sort, columns }: Arrangement): string | undefined {
  if (columns.some(({ column }) => !known.columns.has(column))) return 'columns';
  if (sort && !sortExists(sort, known)) return 'sort';
  const wrong = filterNames.some((name) => {
    const id = filters[name];
    return id !== null && !filterExists[name](id, known);
  });
  return wrong ? 'filters' : undefined;
}

/**
 * A view after its writer has changed what they see of it: what they do not see stays. What comes back as it was
 * answered changes nothing.
 */
export function merged(known: Known, stored: Arrangement, input: Arrangement): Arrangement {
  const seen = asSeenBy(known, stored);
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
    columns: [...input.columns, ...stored.columns.filter(({ column }) => !known.columns.has(column))],
  };
}

/** `Mine`, or `Mine 2` where that is taken: two views of one owner differ in their names, whatever their case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const free = name.slice(0, 60 - ending.length) + ending;
    if (!used.has(free.toLowerCase())) return free;
  }
}
