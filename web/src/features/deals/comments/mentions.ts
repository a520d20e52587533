import type { DirectoryPerson } from '@forecourt/contract/users';

const OFFERED = 6;

/** The position of `@` and the part of a name after it, up to the cursor. */
type MentionQuery = { readonly from: number; readonly query: string };

/** Returns the mention being typed at the cursor; null if there is none. An email address is not a mention. */
export function mentionAt(text: string, cursor: number): MentionQuery | null {
  const match = /(?<![\p{L}\p{N}._%+-])@([\p{L}\p{N}'’. -]{0,60})$/u.exec(text.slice(0, cursor));
  return match ? { from: match.index, query: match[1]! } : null;
}

/** Returns the users whose name, or a word of it, begins with the query. */
export function offeredPeople(people: readonly DirectoryPerson[], query: string): readonly DirectoryPerson[] {
  const search = query.toLowerCase();
  if (search.startsWith(' ')) return [];
  return people
    .filter(({ name }) => {
      const lowerName = name.toLowerCase();
      return lowerName.startsWith(search) || lowerName.includes(` ${search}`);
    })
    .slice(0, OFFERED);
}

/** Replaces the typed mention by a name. Returns the text and the position of the cursor. */
export function withMention(
  text: string,
  cursor: number,
  { from }: MentionQuery,
  { name }: DirectoryPerson,
): { readonly text: string; readonly cursor: number } {
  const rest = text.slice(cursor);
  const before = `${text.slice(0, from)}@${name}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: before + rest, cursor: before.length + (rest.startsWith(' ') ? 1 : 0) };
}

/** Returns the mentioned users: chosen ones still named in the text, and unique names typed completely. */
export function mentionedIn(
  text: string,
  people: readonly DirectoryPerson[],
  chosen: readonly string[],
): string[] {
  const alike = Map.groupBy(people, ({ name }) => name);
  const named = new Set(splitMentions(text, [...alike.keys()]).map((part) => part.mention));
  return people
    .filter(({ _id, name }) => named.has(name) && (chosen.includes(_id) || alike.get(name)!.length === 1))
    .map(({ _id }) => _id);
}

type Part = { readonly text: string; /** The name in a mention. */ readonly mention?: string };

export function splitMentions(text: string, names: readonly string[]): readonly Part[] {
  // Longest first, so that `Ann Example` is matched before `Ann`.
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const startsHere = (name: string, at: number): boolean =>
    text.startsWith(name, at) && !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length));
  const parts: Part[] = [];
  let plain = 0;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}._%+-])@/gu)) {
    const mention = longestFirst.find((name) => startsHere(name, index + 1));
    if (mention === undefined || index < plain) continue;
    if (plain < index) parts.push({ text: text.slice(plain, index) });
    plain = index + 1 + mention.length;
    parts.push({ text: `@${mention}`, mention });
  }
  if (plain < text.length) parts.push({ text: text.slice(plain) });
  return parts;
}
