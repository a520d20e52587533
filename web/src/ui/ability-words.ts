import type { Ability } from '@forecourt/contract/route';

/**
 * An ability with its reason code turned into the words for a tooltip. A code without words stays as it is, so
 * that a new refusal is at least named.
 */
export const abilityWords = (ability: Ability, words: Readonly<Record<string, string>>): Ability =>
  ability === true ? true : (words[ability] ?? ability);
