import type { ColumnFilter, FilterCondition, FilterField } from '@forecourt/contract/deal-filter-fields';
import { paths } from './paths.ts';

export type ScreenLink = { to: string; search: Record<string, string> };

/** Returns a link to a screen; undefined parameters are omitted. */
export const linkTo = (to: string, params: Readonly<Record<string, string | undefined>>): ScreenLink => ({
  to,
  search: Object.fromEntries(
    Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
});

/** Returns a condition for rows whose column has this record. */
export const isRecord = (field: FilterField, id: string): FilterCondition => ({
  field,
  operator: 'isAnyOf',
  value: [id],
});

type Rows = { month: string; filter?: ColumnFilter | null };

/** Returns a link to the rows behind a figure. Without a filter, the link clears the filter of the screen. */
export const rowsLink = ({ month, filter = null }: Rows): ScreenLink =>
  linkTo(paths.dataEntry, { month, filter: filter === null ? '' : JSON.stringify(filter) });

/** Returns a link to the rows of a month whose column has this record. */
export const rowsOfLink = (month: string, field: FilterField, id: string): ScreenLink =>
  rowsLink({ month, filter: { match: 'all', conditions: [isRecord(field, id)] } });

/** Returns a link to the page of a row, optionally scrolled to a comment. */
export const dealLink = (id: string, comment?: string): ScreenLink => linkTo(paths.deal(id), { comment });
