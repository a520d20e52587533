import { texts } from '../texts/app.ts';

/** Initials of the first and the last word; `U` without a name (docs/product/screens.md, Menu and side panel). */
export function initialsOf(name: string | undefined): string {
  const words = (name ?? '').split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (
    picked.map((word) => /^\p{L}/u.exec(word ?? '')?.[0].toLocaleUpperCase('en-AU')).join('') ||
    texts.unknownInitials
  );
}
