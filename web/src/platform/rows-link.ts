import type { ColumnFilter, FilterCondition, FilterField } from '@forecourt/contract/deal-filter-fields';
import { paths } from './paths.ts';

/** Target of a link: a screen and its search parameters. */
export type ScreenLink = { to: string; search: Record<string, string> };

/** Returns a link to a screen; undefined parameters are left out of the address. */
export const linkTo = (to: string, params: Readonly<Record<string, string | undefined>>): ScreenLink => ({
  to,
  search: Object.fromEntries(
    Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
});

/** Returns the condition for rows with one of the records of a column. */
export const isRecord = (field: FilterField, id: string): FilterCondition => ({
  field,
  operator: 'isAnyOf',
  value: [id],
});

type Rows = { month: string; filter?: ColumnFilter | null };

/** Returns a link to the rows behind a figure. Without a filter it removes the one that is set on the screen. */
export const rowsLink = ({ month, filter = null }: Rows): ScreenLink =>
  linkTo(paths.dataEntry, { month, filter: filter === null ? '' : JSON.stringify(filter) });

/** Returns a link to the rows of a month with one of the records of a column. */
export const rowsOfLink = (month: string, field: FilterField, id: string): ScreenLink =>
  rowsLink({ month, filter: { match: 'all', conditions: [isRecord(field, id)] } });

/** Returns a link to the page of a row, also with one of its comments in view. */
export const dealLink = (id: string, comment?: string): ScreenLink => linkTo(paths.deal(id), { comment });
