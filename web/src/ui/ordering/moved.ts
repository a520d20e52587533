/** A target position before or after another id. */
export type Place = { readonly beside: string; readonly side: 'before' | 'after' };

export function moved(ids: readonly string[], id: string, { beside, side }: Place): string[] {
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(beside) + (side === 'after' ? 1 : 0);
  return others.toSpliced(at, 0, id);
}

/** Returns the rows in the order of these ids, then all other rows in their order. */
export function inOrder<R extends { _id: string }>(rows: readonly R[], ids: readonly string[]): R[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ _id }: R): number => places.get(_id) ?? ids.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
