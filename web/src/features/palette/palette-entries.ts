import type { texts } from '../../texts/palette.ts';

export type PaletteGroup = keyof typeof texts.groups;

export type PaletteEntry = {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Distinguishes entries with the same name. */
  readonly note?: string | undefined;
  readonly run: () => void;
};

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Rank of a match: 0 is best, null is none. Every word must match; the name ranks above the note. */
function rank({ label, note = '' }: PaletteEntry, searchWords: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${note.toLowerCase()}`;
  if (!searchWords.every((word) => all.includes(word))) return null;
  const first = searchWords[0] ?? '';
  if (name.startsWith(first)) return 0;
  return words(name).some((word) => word.startsWith(first)) ? 1 : 2;
}

/** Returns the matching entries, best first, at most `most` per group. */
export function matching(entries: readonly PaletteEntry[], typed: string, most: number): PaletteEntry[] {
  const searchWords = words(typed);
  const ranked = entries
    .map((entry) => ({ entry, rank: rank(entry, searchWords) }))
    .filter((each): each is { entry: PaletteEntry; rank: number } => each.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
  const taken = new Map<PaletteGroup, number>();
  return ranked.filter(({ group }) => {
    const count = taken.get(group) ?? 0;
    taken.set(group, count + 1);
    return count < most;
  });
}

/** Groups the entries in the order of their first occurrence. */
export const grouped = (entries: readonly PaletteEntry[]): [PaletteGroup, PaletteEntry[]][] => [
  ...Map.groupBy(entries, ({ group }) => group),
];
