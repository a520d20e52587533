/** Where something is put: on one side of something else. */
export type Place = { readonly beside: string; readonly side: 'before' | 'after' };

/** The same ids with one of them at another place. */
export function moved(ids: readonly string[], id: string, { beside, side }: Place): string[] {
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(beside) + (side === 'after' ? 1 : 0);
  return others.toSpliced(at, 0, id);
}

/** Rows in the order of these ids. What is not among them comes last, in the order in which it was. */
export function inOrder<R extends { _id: string }>(rows: readonly R[], ids: readonly string[]): R[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ _id }: R): number => places.get(_id) ?? ids.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
