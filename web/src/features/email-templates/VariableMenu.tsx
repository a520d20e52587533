import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import styles from './VariableMenu.module.css';

type VariableMenuProps = {
  variables: readonly TemplateVariable[];
  /** What choosing one means, where the button does not say it. */
  heading?: string;
  /** What is said where there is nothing to choose from. */
  empty?: string;
  /** The key of the one that is chosen now. */
  current?: string | undefined;
  position?: 'bottom-start' | 'bottom-end';
  onPick: (variable: TemplateVariable) => void;
  /** Offers to take a condition away. */
  onRemove?: (() => void) | undefined;
  /** The button that opens it. */
  children: ReactNode;
};

/** A button with the template's variables behind it. The one chosen puts the focus back to the text itself. */
export function VariableMenu(props: VariableMenuProps): ReactNode {
  const { variables, heading, empty = texts.noVariables, current, position = 'bottom-end' } = props;
  const { onPick, onRemove, children } = props;
  return (
    <Menu position={position} returnFocus={false} width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {variables.length === 0 && <Menu.Label>{empty}</Menu.Label>}
        {variables.length > 0 && heading && <Menu.Label>{heading}</Menu.Label>}
        {variables.map((variable) => (
          <Menu.Item
            key={variable.key}
            className={styles.item}
            aria-current={variable.key === current || undefined}
            rightSection={<span className={styles.key}>{variable.key}</span>}
            onClick={() => onPick(variable)}
          >
            {variable.label}
          </Menu.Item>
        ))}
        {onRemove && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onRemove}>{texts.removeCondition}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
