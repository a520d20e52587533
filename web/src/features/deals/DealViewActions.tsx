import type { Ability } from '@forecourt/contract/route';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-views.ts';
import { toastDone, toastFailed, toastWarning } from '../../ui/toasts.ts';
import { useSaveView, type ViewInput } from '../deal-views/deal-views.queries.ts';
import type { DealViewDialog } from './DealViewDialogs.tsx';
import type { UsedView } from './use-saved-views.ts';

type DealViewActionsProps = { used: UsedView; onOpen: (dialog: DealViewDialog) => void };

/** What can be done with the view that is used. All deals stays as it is, and can be saved under a name. */
export function DealViewActions({ used, onOpen }: DealViewActionsProps): ReactNode {
  const { view, changed, current, use } = used;
  const { mutate } = useSaveView();
  const mine: Ability = view?.abilities.edit === true || texts.notOwner(view?.ownerName ?? '');

  const save = (change: Partial<ViewInput>, done: string): void => {
    if (!view) return;
    const { _id, name, shared, filters, sort, columns, version } = view;
    mutate(
      { id: _id, input: { name, shared, filters, sort, columns, version, ...change } },
      { onSuccess: () => toastDone(done), onError: (thrown) => toastFailed(thrown, texts.failed) },
    );
  };
  const item = (ability: Ability, label: string, act: () => void): ReactNode => (
    <Menu.Item
      {...(ability !== true && { 'aria-disabled': true, 'data-disabled': true, title: ability })}
      onClick={() => (ability === true ? act() : toastWarning(ability))}
    >
      {label}
    </Menu.Item>
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
