import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import styles from './VariableMenu.module.css';

type VariableMenuProps = {
  variables: readonly TemplateVariable[];
  onPick: (variable: TemplateVariable) => void;
  /** The button that opens it. */
  children: ReactNode;
};

/** A button with the template's variables behind it. The one chosen puts the focus back to the text itself. */
export function VariableMenu({ variables, onPick, children }: VariableMenuProps): ReactNode {
  return (
    <Menu position="bottom-end" returnFocus={false} width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {variables.length === 0 && <Menu.Label>{texts.noVariables}</Menu.Label>}
        {variables.map((variable) => (
          <Menu.Item
            key={variable.key}
            rightSection={<span className={styles.key}>{variable.key}</span>}
            onClick={() => onPick(variable)}
          >
            {variable.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
