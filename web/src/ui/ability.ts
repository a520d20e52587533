import type { Ability } from '@forecourt/contract/route';
import type { MouseEvent } from 'react';

/**
 * What a button is told by an ability. `aria-disabled` instead of `disabled`: a disabled button takes no focus,
 * and then nobody with a keyboard learns the reason from its tooltip.
 */
export const abilityProps = (ability: Ability) =>
  ability === true ? {} : { 'aria-disabled': true, 'data-disabled': true };

/** A click that does something only for those who may, submitting a form included. */
export const guarded =
  (ability: Ability, onClick?: (event: MouseEvent<HTMLButtonElement>) => void) =>
  (event: MouseEvent<HTMLButtonElement>): void => {
    if (ability === true) onClick?.(event);
    else event.preventDefault();
  };
