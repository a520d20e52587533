import type { SavedView } from '@forecourt/contract/deal-views';
import type { Ability } from '@forecourt/contract/route';
import { Menu } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import { Suspense, useState, type ReactNode } from 'react';
import { texts } from '../../../texts/deal-views.ts';
import { ButtonMenu, MenuAction } from '../../../ui/ButtonMenu.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { toastOutcome } from '../../../ui/toasts.ts';
import type { Opened } from '../../../ui/use-opener.ts';
import { useSaveView, type ViewInput } from '../../deal-views/deal-views.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealViewDialog } from './DealViewDialogs.tsx';
import type { UsedView } from './use-arrangement.ts';

const DealViewDialogs = lazyPart(() => import('./DealViewDialogs.tsx'));

export default function DealViewsMenu({ part, used }: { part: Opened; used: UsedView }): ReactNode {
  const { userId } = useDataEntry();
  const { views, view, use } = used;
  const [dialog, setDialog] = useState<DealViewDialog | null>(null);
  const own = views.filter(({ owner }) => owner === userId);
  const others = views.filter(({ owner }) => owner !== userId);

  const item = (each: SavedView | null, by?: string): ReactNode => (
    <MenuAction
      key={each?._id ?? 'all'}
      icon={<Check size={14} visibility={each?._id === view?._id ? 'visible' : 'hidden'} />}
      isCurrent={each?._id === view?._id}
      onRun={() => use(each)}
    >
      {each?.name ?? texts.allDeals}
      {by !== undefined && <span className="ui-quiet"> · {by}</span>}
    </MenuAction>
  );

  return (
    <>
      <ButtonMenu part={part} position="bottom-start" width={280}>
        <div className="ui-scroll">
          {item(null)}
          {own.length > 0 && <Menu.Label>{texts.own}</Menu.Label>}
          {own.map((each) => item(each, each.shared ? texts.sharedByMe : undefined))}
          {others.length > 0 && <Menu.Label>{texts.shared}</Menu.Label>}
          {others.map((each) => item(each, each.ownerName))}
        </div>
        <Menu.Divider />
        <DealViewActions used={used} onOpen={setDialog} />
      </ButtonMenu>
      <Suspense>
        {dialog && <DealViewDialogs dialog={dialog} used={used} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}

type DealViewActionsProps = { used: UsedView; onOpen: (dialog: DealViewDialog) => void };

/** The actions on the active view. All deals cannot be changed, but can be saved under a name. */
function DealViewActions({ used, onOpen }: DealViewActionsProps): ReactNode {
  const { view, changed, current, use } = used;
  const { mutateAsync } = useSaveView();
  const mine: Ability = view?.abilities.edit === true || texts.notOwner(view?.ownerName ?? '');

  const save = (change: Partial<ViewInput>, done: string): void => {
    if (!view) return;
    const { _id, name, shared, filter, sort, group, columns, version } = view;
    const input = { name, shared, filter, sort, group, columns, version, ...change };
    toastOutcome(mutateAsync({ id: _id, input }), done, texts.failed);
  };
  const item = (ability: Ability, label: string, act: () => void): ReactNode => (
    <MenuAction ability={ability} onRun={act}>
      {label}
    </MenuAction>
  );

  return (
    <>
      {view &&
        item(mine === true && !changed ? texts.nothingToSave : mine, texts.save, () =>
          save(current, texts.saved(view.name)),
        )}
      {changed && item(true, texts.undo, () => use(view))}
      {item(true, texts.saveAs, () => onOpen('save-as'))}
      {view && (
        <>
          {item(mine, texts.rename, () => onOpen('rename'))}
          {view.shared
            ? item(mine, texts.unshare, () => save({ shared: false }, texts.notShared(view.name)))
            : item(mine, texts.share, () => save({ shared: true }, texts.nowShared(view.name)))}
          {item(mine, texts.delete, () => onOpen('delete'))}
        </>
      )}
    </>
  );
}
