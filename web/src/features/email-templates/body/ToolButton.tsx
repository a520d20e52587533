import { UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ComponentType, ReactNode } from 'react';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import styles from './Toolbar.module.css';

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'children'> & {
  label: string;
  /** Text of the tooltip; default: the label. */
  note?: string;
  icon: ComponentType;
};

export const ToolButton = ({ label, note = label, icon: Icon, ...button }: ToolButtonProps): ReactNode => (
  <Tooltip label={note}>
    <UnstyledButton tabIndex={-1} aria-label={label} {...button} className={styles.tool}>
      <Icon />
    </UnstyledButton>
  </Tooltip>
);
