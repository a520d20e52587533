import type { Item } from '@forecourt/contract/items';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Pencil from 'lucide-react/icons/pencil';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/items.ts';
import { abilityText } from '../../ui/ability-text.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useSaveItem } from './items.queries.ts';
import styles from './ItemsScreen.module.css';

type ItemActionsProps = {
  item: Item;
  onOpen: (kind: 'form' | 'share' | 'transfer' | 'delete') => void;
};

/** The buttons of one row; blocked ones show the reason. */
export function ItemActions({ item, onOpen }: ItemActionsProps): ReactNode {
  const save = useSaveItem();
  const { _id, name, category, price, cost, active, usage, version } = item;
  const { edit, share, transfer, delete: remove } = item.abilities;
  const words = (ability: typeof edit) => abilityText(ability, texts.reasons);

  const toggle = (): void => {
    if (save.isPending) return;
    const input = { name, category, price, cost, active: !active, version };
    save.mutate(
      { id: _id, input, idempotencyKey: newKey() },
      {
        onSuccess: () => toastDone(active ? texts.deactivated : texts.activated),
        onError: (error) => toastFailed(error, texts.statusFailed),
      },
    );
  };

  return (
    <div className={`ui-row ui-gap-1 ui-end ${styles.actions}`}>
      <IconAction
        ability={words(edit)}
        label={texts.rowEdit(name)}
        icon={<Pencil />}
        onClick={() => onOpen('form')}
      />
      <IconAction
        ability={words(share)}
        label={texts.rowShare(name)}
        icon={<Share2 />}
        onClick={() => onOpen('share')}
      />
      <IconAction
        ability={words(transfer)}
        label={texts.rowTransfer(name)}
        icon={<ArrowRightLeft />}
        onClick={() => onOpen('transfer')}
      />
      <IconAction
        ability={words(edit)}
        label={active ? texts.rowDeactivate(name) : texts.rowActivate(name)}
        icon={active ? <PowerOff /> : <Power />}
        onClick={toggle}
      />
      <IconAction
        ability={remove === true && usage > 0 ? texts.inUse(usage) : words(remove)}
        label={texts.rowDelete(name)}
        icon={<Trash2 />}
        onClick={() => onOpen('delete')}
      />
    </div>
  );
}
