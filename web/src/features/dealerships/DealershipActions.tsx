import type { Dealership } from '@forecourt/contract/dealerships';
import Pencil from 'lucide-react/icons/pencil';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { abilityText } from '../../ui/ability-text.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useSetActive } from './dealerships.queries.ts';

type DealershipActionsProps = {
  dealership: Dealership;
  onEdit: () => void;
  /** Absent for users other than administrators (docs/product/dealerships.md, Dealership Settings screen). */
  onShare: (() => void) | undefined;
  onDelete: () => void;
};

/** The buttons of one row; blocked ones show the reason (docs/product/dealerships.md, Dealership Settings screen). */
export function DealershipActions({
  dealership,
  onEdit,
  onShare,
  onDelete,
}: DealershipActionsProps): ReactNode {
  const setActive = useSetActive();
  const { _id, name, active, abilities } = dealership;

  const toggle = (): void => {
    if (setActive.isPending) return;
    setActive.mutate(
      { ids: [_id], active: !active },
      {
        onSuccess: () => toastDone(active ? texts.deactivated : texts.activated),
        onError: (error) => toastFailed(error, texts.statusFailed),
      },
    );
  };

  return (
    <>
      <IconAction
        ability={abilityText(abilities.edit, texts.reasons)}
        label={texts.named(texts.rowEdit, name)}
        icon={<Pencil />}
        onClick={onEdit}
      />
      {onShare && (
        <IconAction label={texts.named(texts.rowShare, name)} icon={<Share2 />} onClick={onShare} />
      )}
      <IconAction
        ability={abilityText(abilities.toggle, texts.reasons)}
        label={texts.named(active ? texts.rowDeactivate : texts.rowActivate, name)}
        icon={active ? <PowerOff /> : <Power />}
        onClick={toggle}
      />
      <IconAction
        ability={abilityText(abilities.delete, texts.reasons)}
        label={texts.named(texts.rowDelete, name)}
        icon={<Trash2 />}
        onClick={onDelete}
      />
    </>
  );
}
