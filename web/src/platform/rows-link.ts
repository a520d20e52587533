import { paths } from './paths.ts';

/** Target of a link: a screen and its search parameters. */
export type ScreenLink = { to: string; search: Record<string, string> };

type RowsFilter = { month: string; status?: string | undefined; dealershipId?: string | undefined };

/** Returns a link to a screen; undefined parameters are left out of the address. */
export const linkTo = (to: string, params: Readonly<Record<string, string | undefined>>): ScreenLink => ({
  to,
  search: Object.fromEntries(
    Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
});

/** Clears the filters that are set on the screen. */
const unfiltered = { status: '', dealershipId: '' };

/** Returns a link to the rows behind a figure: those of a month that match these filters. */
export const rowsLink = ({ month, status = '', dealershipId = '' }: RowsFilter): ScreenLink =>
  linkTo(paths.dataEntry, { month, status, dealershipId });

type NamedRow = { month: string; customerName?: string | undefined };

/** Returns a link to one row, searched by customer name; without a name, to its month. */
export const rowLink = ({ month, customerName }: NamedRow): ScreenLink =>
  linkTo(paths.dataEntry, { ...unfiltered, month, search: customerName });

/** Returns a link to the comments of a row, in the list of its month. */
export const commentsLink = (row: NamedRow & { dealId: string }): ScreenLink => {
  const { to, search } = rowLink({ month: row.month });
  return { to, search: { ...search, comments: row.dealId } };
};
