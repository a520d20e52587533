import type { Ability } from '@forecourt/contract/route';

/** Returns an ability with its reason code replaced by a text. A code without a text is returned, so that it is shown. */
export const abilityText = (ability: Ability, reasonTexts: Readonly<Record<string, string>>): Ability =>
  ability === true ? true : (reasonTexts[ability] ?? ability);
