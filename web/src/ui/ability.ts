import type { Ability } from '@forecourt/contract/route';
import type { MouseEvent } from 'react';

/**
 * Returns the button attributes of an ability. Not `disabled`: a disabled button cannot be focused, so keyboard users
 * could not read the reason in its tooltip.
 */
export const abilityProps = (ability: Ability) =>
  ability === true ? {} : { 'aria-disabled': true, 'data-disabled': true };

/** Returns a click handler that runs only if permitted; otherwise it prevents the default, also a submit. */
export const guarded =
  (ability: Ability, onClick?: (event: MouseEvent<HTMLButtonElement>) => void) =>
  (event: MouseEvent<HTMLButtonElement>): void => {
    if (ability === true) onClick?.(event);
    else event.preventDefault();
  };

/** Replaces the reason code of an ability by its text. An unknown code is shown as it is. */
export const abilityText = (ability: Ability, reasonTexts: Readonly<Record<string, string>>): Ability =>
  ability === true ? true : (reasonTexts[ability] ?? ability);
