import type { ReactNode } from 'react';
import { ButtonMenu, MenuAction } from '../../../ui/ButtonMenu.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import { useActionScope, type ActionTarget } from './main-actions.ts';
import { moreActions } from './more-actions.ts';

export default function MoreMenu({ part, target }: { part: Opened; target: ActionTarget }): ReactNode {
  const actions = Object.values(moreActions(useActionScope(target)));
  return (
    <ButtonMenu part={part} position="bottom-end">
      {actions.map(
        (action) =>
          action && (
            <MenuAction key={action.id} icon={<action.icon />} ability={action.ability} onRun={action.run}>
              {action.label}
            </MenuAction>
          ),
      )}
    </ButtonMenu>
  );
}
