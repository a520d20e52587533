import type { TextPart } from '../../grid/grid.ts';

type Named = { readonly name: string };

/** A name in a list of names. */
type ListedName<T extends Named> = {
  /** Its position in the text. */
  readonly at: number;
  readonly typed: string;
  /** The option with this name, otherwise all whose names begin with it. */
  readonly matches: readonly T[];
  /** The group of the suffix pattern. */
  readonly suffix: string | undefined;
};

const startsWith = (text: string, start: string): boolean =>
  text.toLowerCase().startsWith(start.toLowerCase());

/**
 * Parses names, or their beginnings, separated by commas. A name may contain a comma.
 * @param suffix pattern with one group for a text after a name
 */
export function listedNames<T extends Named>(
  text: string,
  offered: readonly T[],
  suffix = '()',
): readonly ListedName<T>[] {
  const ending = new RegExp(String.raw`^\s*${suffix}\s*(?:[,;][\s,;]*|$)`, 'iu');
  const part = new RegExp(String.raw`^(.+?)\s*${suffix}\s*(?:[,;]|$)`, 'isu');
  const longestFirst = offered.toSorted((a, b) => b.name.length - a.name.length);
  const names: ListedName<T>[] = [];
  let at = text.search(/[^\s,;]|$/);
  while (at < text.length) {
    const rest = text.slice(at);
    const whole = longestFirst.find(
      ({ name }) => startsWith(rest, name) && ending.test(rest.slice(name.length)),
    );
    const typed = whole ? rest.slice(0, whole.name.length) : part.exec(rest)![1]!;
    const end = ending.exec(rest.slice(typed.length))!;
    const matches = whole ? [whole] : offered.filter(({ name }) => startsWith(name, typed));
    names.push({ at, typed, matches, suffix: end[1] });
    at += typed.length + end[0].length;
  }
  return names;
}

/** Returns the name at the end of the text, which the editor completes. */
export function lastName(text: string, offered: readonly Named[], suffix?: string): TextPart {
  const none = { before: text, typed: '', after: '' };
  if (/[,;]\s*$/.test(text)) return none;
  const names = listedNames(text, offered, suffix);
  // A comma may belong to a name that is not complete yet.
  const begun = names.find(({ at }) => offered.some(({ name }) => startsWith(name, text.slice(at))));
  const last = begun ? { ...begun, typed: text.slice(begun.at) } : names.at(-1);
  if (!last) return none;
  const { at, typed } = last;
  return { before: text.slice(0, at), typed, after: text.slice(at + typed.length) };
}
