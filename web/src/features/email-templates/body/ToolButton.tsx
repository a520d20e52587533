import { UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ComponentType, ReactNode } from 'react';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import styles from './Toolbar.module.css';

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'children'> & {
  label: string;
  /** Its tooltip; by default the label. */
  note?: string;
  icon: ComponentType;
};

/** A button of the toolbar. The other props are those of the button. */
export const ToolButton = ({ label, note = label, icon: Icon, ...button }: ToolButtonProps): ReactNode => (
  <Tooltip label={note}>
    <UnstyledButton tabIndex={-1} aria-label={label} {...button} className={styles.tool}>
      <Icon />
    </UnstyledButton>
  </Tooltip>
);
