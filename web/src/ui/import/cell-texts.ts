/** Texts of some cells of an import, such as what was typed over, by `cellKey`. */
export type CellTexts = Readonly<Record<string, string>>;

/** A cell by the line of its file and what it holds: `4:name`. */
export const cellKey = (line: number, field: string): string => `${line}:${field}`;

type Line = { readonly number: number; readonly errors: Readonly<Record<string, string | undefined>> };

/** Lines with what the server refused in them marked as well. */
export function withRefusals<L extends Line>(lines: readonly L[], refused: CellTexts): readonly L[] {
  const byLine = Map.groupBy(Object.entries(refused), ([key]) => key.slice(0, key.indexOf(':')));
  if (byLine.size === 0) return lines;
  return lines.map((line) => {
    const own = byLine.get(String(line.number));
    if (!own) return line;
    const errors = own.map(([key, words]) => [key.slice(key.indexOf(':') + 1), words]);
    return { ...line, errors: { ...line.errors, ...Object.fromEntries(errors) } };
  });
}
