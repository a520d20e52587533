import { groupFields, isGroupField, type GroupField } from '@forecourt/contract/deal-groups';
import { Menu } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/deal-groups.ts';
import { ButtonMenu, MenuAction } from '../../../ui/ButtonMenu.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import { allGroupsActions } from '../actions/menu-actions.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { existsFor } from '../deal-fields.ts';
import { isOverMonths } from '../deal-view.ts';

export default function DealGroupMenu({ part }: { part: Opened }): ReactNode {
  const { options, view, group, groups, arrangement } = useDataEntry();
  const current = useStore(groups);
  const customFields = (options?.customFields ?? []).filter(({ key }) =>
    isGroupField(key, options?.customFields ?? []),
  );
  const builtIn = groupFields.filter(
    (field) => options && existsFor(options, field) && (field !== 'month' || isOverMonths(view)),
  );
  const item = (field: GroupField | null, label: string): ReactNode => (
    <MenuAction
      key={field}
      icon={<Check size={14} visibility={field === group ? 'visible' : 'hidden'} />}
      isCurrent={field === group}
      onRun={() => arrangement.setGroup(field)}
    >
      {label}
    </MenuAction>
  );
  return (
    <ButtonMenu part={part} position="bottom-start">
      <Menu.Label>{texts.label}</Menu.Label>
      {item(null, texts.none)}
      {builtIn.map((field) => item(field, texts.fields[field]))}
      {customFields.map(({ key, name }) => item(key, name))}
      {current && (
        <>
          <Menu.Divider />
          {allGroupsActions(current).map(({ id, label, keys, run }) => (
            <MenuAction key={id} keys={keys} onRun={run}>
              {label}
            </MenuAction>
          ))}
        </>
      )}
    </ButtonMenu>
  );
}
