import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { useVariableChoices } from './variable-choices.ts';

type VariableMenuProps = {
  /** Describes the effect of a choice if the button does not. */
  heading?: string;
  /** Why no variable can be chosen. */
  impossible?: string | undefined;
  /** The key of the current variable. */
  current?: string | undefined;
  position?: 'bottom-start' | 'bottom-end';
  onPick: (variable: TemplateVariable) => void;
  /** If set, the menu has an entry that removes the condition. */
  onRemove?: (() => void) | undefined;
  children: ReactNode;
};

/**
 * A menu of the template's variables, and of fields that are declared as variables when they are chosen. A choice moves
 * the focus to the text instead of the button.
 */
export function VariableMenu(props: VariableMenuProps): ReactNode {
  const { heading, impossible, current, position = 'bottom-end' } = props;
  const { onPick, onRemove, children } = props;
  const { declared, undeclared, declare } = useVariableChoices();
  const item = (variable: TemplateVariable): ReactNode => (
    <Menu.Item
      key={variable.key}
      fw={variable.key === current ? 650 : undefined}
      aria-current={variable.key === current || undefined}
      rightSection={<span className="ui-quiet">{variable.key}</span>}
      onClick={() => {
        declare(variable);
        onPick(variable);
      }}
    >
      {variable.label}
    </Menu.Item>
  );
  return (
    <Menu position={position} returnFocus={false} width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className="ui-scroll">
        {impossible && <Menu.Label>{impossible}</Menu.Label>}
        {!impossible && (
          <>
            {heading && <Menu.Label>{heading}</Menu.Label>}
            {declared.map(item)}
            {undeclared.length > 0 && <Menu.Label>{texts.undeclared}</Menu.Label>}
            {undeclared.map(item)}
          </>
        )}
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
