import type { Ability } from '@forecourt/contract/route';
import type { MouseEvent } from 'react';

/**
 * Returns the button attributes of an ability. `aria-disabled` instead of `disabled`: a disabled button cannot be
 * focused, and keyboard users could then not read the reason in its tooltip.
 */
export const abilityProps = (ability: Ability) =>
  ability === true ? {} : { 'aria-disabled': true, 'data-disabled': true };

/** Returns a click handler that runs only when permitted; otherwise it prevents the default, form submission included. */
export const guarded =
  (ability: Ability, onClick?: (event: MouseEvent<HTMLButtonElement>) => void) =>
  (event: MouseEvent<HTMLButtonElement>): void => {
    if (ability === true) onClick?.(event);
    else event.preventDefault();
  };

/** Returns an ability with its reason code replaced by a text. A code without a text is returned, so that it is shown. */
export const abilityText = (ability: Ability, reasonTexts: Readonly<Record<string, string>>): Ability =>
  ability === true ? true : (reasonTexts[ability] ?? ability);
