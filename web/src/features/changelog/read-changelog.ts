/** A part of a line: plain, strong or code. */
export type Piece = { readonly kind: 'plain' | 'strong' | 'code'; readonly text: string };

type Release = { readonly name: string; readonly entries: readonly (readonly Piece[])[] };

/** The pieces of a line in the little Markdown that the file uses. */
const piecesOf = (line: string): Piece[] =>
  line
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text.startsWith('**')) return { kind: 'strong', text: text.slice(2, -2) };
      return text.startsWith('`') ? { kind: 'code', text: text.slice(1, -1) } : { kind: 'plain', text };
    });

/** The releases of a changelog file as they stand there, newest first: `## name`, then one `- entry` a line. */
export function readChangelog(file: string): Release[] {
  const [, ...sections] = file.split(/^## /m);
  return sections.map((section) => {
    const [name = '', ...lines] = section.split('\n');
    return {
      name: name.trim(),
      entries: lines.filter((line) => line.startsWith('- ')).map((line) => piecesOf(line.slice(2).trim())),
    };
  });
}
