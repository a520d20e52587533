import type { Ability } from '@forecourt/contract/route';
import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import type { ComponentType, MouseEvent, ReactNode } from 'react';
import { abilityProps, guarded } from './ability.ts';
import { Tooltip } from './Tooltip.tsx';

type ActionButtonProps = Omit<ButtonProps, 'disabled'> & {
  /** `true`, or the reason of a refusal: the button then stays focusable, does nothing and shows the reason. */
  ability?: Ability;
  /** Text of the tooltip. By default an icon button shows its name. */
  note?: string | undefined;
  /** Shows only the icon of `leftSection`; the name is the tooltip. */
  isIcon?: boolean;
  type?: 'submit';
  /** True while the button's popup is open: hides the tooltip. */
  'aria-expanded'?: boolean;
  /** Absent for the submit button of a form. */
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  children: string;
};

/** A button for an action that the user may lack permission for (docs/product/api.md, Abilities). */
export function ActionButton({
  ability = true,
  isIcon = false,
  children,
  note = isIcon ? children : undefined,
  leftSection,
  onClick,
  ...rest
}: ActionButtonProps): ReactNode {
  const parts = isIcon ? { px: 8, 'aria-label': children } : { leftSection };
  const label = ability === true ? note : ability;
  return (
    <Tooltip label={label} disabled={label === undefined || rest['aria-expanded'] === true}>
      <Button {...rest} {...parts} {...abilityProps(ability)} onClick={guarded(ability, onClick)}>
        {isIcon ? leftSection : children}
      </Button>
    </Tooltip>
  );
}

type IconActionProps = {
  ability?: Ability;
  label: string;
  icon: ComponentType<{ size?: number }>;
  /** The size of the icon, in px. */
  size?: number;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
};

/** An icon button of a table row. The tooltip is the label, or the reason of a refusal. */
export function IconAction({ ability = true, label, icon: Icon, size, onClick }: IconActionProps): ReactNode {
  return (
    <Tooltip label={ability === true ? label : ability}>
      <ActionIcon aria-label={label} {...abilityProps(ability)} onClick={guarded(ability, onClick)}>
        <Icon {...(size !== undefined && { size })} />
      </ActionIcon>
    </Tooltip>
  );
}
