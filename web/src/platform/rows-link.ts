import { paths } from './paths.ts';

/** Where a link leads: a screen, and what it is asked to show. */
export type ScreenLink = { to: string; search: Record<string, string> };

type RowsFilter = { month: string; status?: string | undefined; dealershipId?: string | undefined };

/** A link that asks for what is said; the rest is left out of the address. */
export const linkTo = (to: string, asked: Readonly<Record<string, string | undefined>>): ScreenLink => ({
  to,
  search: Object.fromEntries(
    Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
});

/** All rows, whatever somebody has filtered by before. */
const unfiltered = { status: '', dealershipId: '' };

/** A link to the rows behind a figure: those of a month that pass these filters, and no others. */
export const rowsLink = ({ month, status = '', dealershipId = '' }: RowsFilter): ScreenLink =>
  linkTo(paths.dataEntry, { month, status, dealershipId });

type NamedRow = { month: string; customerName?: string | undefined };

/** One row: by what it is called, or else those of its month. */
export const rowLink = ({ month, customerName }: NamedRow): ScreenLink =>
  linkTo(paths.dataEntry, { ...unfiltered, month, search: customerName });
