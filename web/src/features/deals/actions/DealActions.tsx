import Ellipsis from 'lucide-react/icons/ellipsis';
import { Suspense, type ReactNode } from 'react';
import { lazyAfterFirstPaint } from '../../../platform/first-screen.ts';
import { texts } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { useOpener, type Opener } from '../../../ui/use-opener.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { ariaKeys } from '../action-keys.ts';
import { mainActions, runAction, useActionScope, type ActionTarget } from './main-actions.ts';

const MoreMenu = lazyAfterFirstPaint(async () => ({ default: (await import('./DealMenu.tsx')).MoreMenu }));

/** The buttons of the actions on rows. Ctrl+Enter in the grid sends email. */
export function DealActions({ isIcons = false, ...target }: ActionTarget & { isIcons?: boolean }): ReactNode {
  const actions = mainActions(useActionScope(target));
  useWindowKey((event) => {
    const inGrid = event.target instanceof Element && event.target.getAttribute('role') === 'grid';
    if (!inGrid || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    runAction(actions.email);
  });

  return (
    <>
      {Object.values(actions).map(({ icon: Icon, ...action }) => (
        <ActionButton
          key={action.id}
          variant="default"
          isIcon={isIcons}
          leftSection={<Icon />}
          ability={action.ability}
          aria-keyshortcuts={ariaKeys(action.keys)}
          onClick={action.run}
        >
          {action.label}
        </ActionButton>
      ))}
      <MoreActions target={target} />
    </>
  );
}

function MoreActions({ target }: { target: ActionTarget }): ReactNode {
  const { button, part } = useOpener('menu');
  return (
    <>
      <MoreButton {...button} />
      <Suspense>{part && <MoreMenu part={part} target={target} />}</Suspense>
    </>
  );
}

export const MoreButton = (button: Opener['button']): ReactNode => (
  <ActionButton isIcon variant="default" leftSection={<Ellipsis />} {...button}>
    {texts.more}
  </ActionButton>
);
