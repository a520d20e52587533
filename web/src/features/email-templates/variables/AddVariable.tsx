import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Button, Menu } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import { Fragment, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { categoryOf, undeclaredFields } from './variable-catalogue.ts';

type AddVariableProps = {
  declared: readonly TemplateVariable[];
  onAdd: (variable: TemplateVariable) => void;
  onCustom: () => void;
};

/** The fields that a variable can be linked to, by group, and a custom variable. */
export function AddVariable({ declared, onAdd, onCustom }: AddVariableProps): ReactNode {
  const offered = undeclaredFields(declared);
  const groups = [...new Set(offered.map(({ linkedData }) => categoryOf(linkedData)))];
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<Plus size={14} />}>
          {texts.addVariable}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="ui-scroll">
        {groups.length === 0 && <Menu.Label>{texts.allAdded}</Menu.Label>}
        {groups.map((group) => (
          <Fragment key={group}>
            <Menu.Label>{texts.categories[group]}</Menu.Label>
            {offered
              .filter(({ category }) => category === group)
              .map((variable) => (
                <Menu.Item key={variable.key} closeMenuOnClick={false} onClick={() => onAdd(variable)}>
                  {variable.label}
                </Menu.Item>
              ))}
          </Fragment>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onCustom}>{texts.customVariable}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
