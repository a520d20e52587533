import type { RevertBody, RevertField, RevertRow } from '@forecourt/contract/deal-changes';

/** What a person has chosen in the preview of a revert. */
export type RevertChoice = {
  /** Rows that are left out although they could be taken back. */
  unticked: ReadonlySet<string>;
  /** Fields that go back although they were changed since, by row. */
  overwrite: ReadonlyMap<string, ReadonlySet<string>>;
};

export const emptyChoice: RevertChoice = { unticked: new Set(), overwrite: new Map() };

/** Whether the row would change: it goes back, or later changes of it are overwritten. */
export const isIncluded = ({ _id, effect }: RevertRow, { unticked, overwrite }: RevertChoice): boolean =>
  effect === null ? (overwrite.get(_id)?.size ?? 0) > 0 : !unticked.has(_id);

/** Returns the request for the chosen rows only, so that nothing happens that was not shown. */
export function revertBodyOf(rows: readonly RevertRow[], choice: RevertChoice): RevertBody {
  const included = rows.filter((row) => isIncluded(row, choice));
  const overwrite = included.flatMap(({ _id: dealId, version }) => {
    const fields = [...(choice.overwrite.get(dealId) ?? [])] as RevertField[];
    return fields.length > 0 ? { dealId, fields, version } : [];
  });
  return { rows: included.map(({ _id }) => _id), ...(overwrite.length > 0 && { overwrite }) };
}

const rank = ({ left, reason }: RevertRow): number => (left.length > 0 ? 0 : reason === null ? 2 : 1);

/** Returns the rows with later changes first, then those that are refused. */
export const sortRows = (rows: readonly RevertRow[]): RevertRow[] =>
  rows.toSorted((one, other) => rank(one) - rank(other));
