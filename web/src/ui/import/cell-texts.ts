/** Texts of some cells of an import, by `cellKey`. */
export type CellTexts = Readonly<Record<string, string>>;

/** Returns the key of a cell by line number and field: `4:name`. */
export const cellKey = (line: number, field: string): string => `${line}:${field}`;

type Line = { readonly number: number; readonly errors: Readonly<Record<string, string | undefined>> };

/** Returns the lines with refusals of the server added to their errors. */
export function withRefusals<L extends Line>(lines: readonly L[], refused: CellTexts): readonly L[] {
  const byLine = Map.groupBy(Object.entries(refused), ([key]) => key.slice(0, key.indexOf(':')));
  if (byLine.size === 0) return lines;
  return lines.map((line) => {
    const own = byLine.get(String(line.number));
    if (!own) return line;
    const errors = own.map(([key, message]) => [key.slice(key.indexOf(':') + 1), message]);
    return { ...line, errors: { ...line.errors, ...Object.fromEntries(errors) } };
  });
}
