import type { TemplateDocument } from '@forecourt/contract/email-templates';
import { keysInText, keysOfBlock } from '@forecourt/contract/template-keys';

/** Counts the occurrences of each key in reading order. */
export function countKeys(subject: string, document: TemplateDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of [...keysInText(subject), ...document.blocks.flatMap(keysOfBlock)]) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export const renameInText = (text: string, from: string, to: string): string =>
  text.replaceAll(`{{${from}}}`, () => `{{${to}}}`);

/** Returns a key for a label: `Rego number` becomes `regoNumber`. Empty if the label has no Latin letter. */
export function keyFromLabel(label: string): string {
  const words = label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== '');
  return words
    .map((word, index) => (index === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1))
    .join('')
    .replace(/^[0-9]+/, '')
    .slice(0, 40);
}
