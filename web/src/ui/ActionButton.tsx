import type { Ability } from '@forecourt/contract/route';
import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { abilityProps, guarded } from './ability.ts';
import { Tooltip } from './Tooltip.tsx';

type ActionButtonProps = Omit<ButtonProps, 'disabled'> & {
  /** `true`, or the reason why not: then the button stays reachable, does nothing and says why. */
  ability: Ability;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
};

/** A button for something that the viewer may or may not do (product section 3, abilities). */
export function ActionButton({ ability, onClick, children, ...rest }: ActionButtonProps): ReactNode {
  return (
    <Tooltip label={ability} disabled={ability === true}>
      <Button {...rest} {...abilityProps(ability)} onClick={guarded(ability, onClick)}>
        {children}
      </Button>
    </Tooltip>
  );
}

type IconActionProps = {
  ability?: Ability;
  /** What it does, as the tooltip and the name. */
  label: string;
  icon: ReactNode;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
};

/** The same as a square with an icon, for rows of a table. The tooltip is the label, or the reason why not. */
export function IconAction({ ability = true, label, icon, onClick }: IconActionProps): ReactNode {
  return (
    <Tooltip label={ability === true ? label : ability}>
      <ActionIcon aria-label={label} {...abilityProps(ability)} onClick={guarded(ability, onClick)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
