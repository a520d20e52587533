/** A part of a line, by the kind of its HTML element. */
export type Piece = { readonly kind: 'plain' | 'strong' | 'em' | 'code'; readonly text: string };

/** The section below the headlines of a release. The screen folds it. */
export const REPAIRS = 'Repairs';

export type Section = { readonly name: string; readonly entries: readonly (readonly Piece[])[] };
/** `day` is `YYYY-MM-DD`; undefined for what is not released yet. */
type Release = {
  readonly name: string;
  readonly day: string | undefined;
  readonly sections: readonly Section[];
};

/** Parses the Markdown that the file uses. */
const piecesOf = (line: string): Piece[] =>
  line
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text.startsWith('**')) return { kind: 'strong', text: text.slice(2, -2) };
      if (text.startsWith('*')) return { kind: 'em', text: text.slice(1, -1) };
      return text.startsWith('`') ? { kind: 'code', text: text.slice(1, -1) } : { kind: 'plain', text };
    });

/** Returns the non-empty releases of a file: `## name — day`, sections `### people`, one `- entry` per line. */
export const readChangelog = (file: string): Release[] =>
  splitAt(file, '## ').flatMap(([heading, text]) => {
    const [name = '', day] = heading.split(' — ');
    const sections = splitAt(text, '### ').map(([people, lines]) => ({
      name: people,
      entries: splitAt(lines, '- ').map(([entry]) => piecesOf(entry)),
    }));
    return sections.length > 0 ? [{ name, day, sections }] : [];
  });

/** Returns the lines that start with `mark`, without it, each with the text up to the next one. */
const splitAt = (text: string, mark: string): [line: string, below: string][] =>
  `\n${text}`
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const [line = '', ...below] = part.split('\n');
      return [line.trim(), below.join('\n')];
    });
