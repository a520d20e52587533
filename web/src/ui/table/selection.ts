/**
 * Returns the selection after a click on a row's checkbox. All rows from `from`, the row clicked before, get the new
 * state of the clicked one.
 */
export function toggled(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  key: string,
  from: string | null = null,
): ReadonlySet<string> {
  const to = keys.indexOf(key);
  const start = from === null ? -1 : keys.indexOf(from);
  const range = start === -1 ? [key] : keys.slice(Math.min(start, to), Math.max(start, to) + 1);
  const next = new Set(selected);
  const adds = !selected.has(key);
  for (const each of range) {
    if (adds) next.add(each);
    else next.delete(each);
  }
  return next;
}
