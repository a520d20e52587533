import type { texts } from '../../texts/palette.ts';

export type PaletteGroup = keyof typeof texts.groups;

/** Something to go to or to do. */
export type PaletteEntry = {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly note?: string;
  readonly run: () => void;
};

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well an entry fits: 0 best, null not at all. Every word must be found; the name counts before the note. */
function rank({ label, note = '' }: PaletteEntry, wanted: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${note.toLowerCase()}`;
  if (!wanted.every((word) => all.includes(word))) return null;
  const first = wanted[0] ?? '';
  if (name.startsWith(first)) return 0;
  return words(name).some((word) => word.startsWith(first)) ? 1 : 2;
}

/** Of these those that fit what was typed, the best first; so many of each group. */
export function matching(entries: readonly PaletteEntry[], typed: string, most: number): PaletteEntry[] {
  const wanted = words(typed);
  const ranked = entries
    .map((entry) => ({ entry, rank: rank(entry, wanted) }))
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

/** The same in groups that follow each other as they first come. */
export const grouped = (entries: readonly PaletteEntry[]): [PaletteGroup, PaletteEntry[]][] => [
  ...Map.groupBy(entries, ({ group }) => group),
];
