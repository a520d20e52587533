import type { Ability } from '@forecourt/contract/route';
import type { Status } from '@forecourt/contract/statuses';
import Pencil from 'lucide-react/icons/pencil';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Trash2 from 'lucide-react/icons/trash-2';
import UserRoundCog from 'lucide-react/icons/user-round-cog';
import type { ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { abilityText } from '../../ui/ability-text.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useSaveStatus } from './statuses.queries.ts';
import styles from './StatusesScreen.module.css';

type StatusActionsProps = {
  status: Status;
  onOpen: (kind: 'form' | 'grant' | 'delete') => void;
};

/** The buttons of one row; blocked ones show the reason. */
export function StatusActions({ status, onOpen }: StatusActionsProps): ReactNode {
  const save = useSaveStatus();
  const { isAdmin } = usePermissions();
  const { _id, name, color, active, isDefault, version, abilities } = status;
  const edit = abilityText(abilities.edit, texts.reasons);
  const remove = abilityText(abilities.delete, texts.reasons);
  /** The default can be neither deactivated nor deleted. */
  const unlessDefault = (ability: Ability): Ability =>
    ability === true && isDefault ? texts.defaultStays : ability;

  const toggle = (): void => {
    if (save.isPending) return;
    save.mutate(
      { id: _id, input: { name, color, active: !active, version }, idempotencyKey: newKey() },
      {
        onSuccess: () => toastDone(active ? texts.deactivated : texts.activated),
        onError: (error) => toastFailed(error, texts.statusFailed),
      },
    );
  };

  return (
    <div className={`ui-row ui-gap-1 ui-end ${styles.actions}`}>
      <IconAction
        ability={edit}
        label={texts.rowEdit(name)}
        icon={<Pencil />}
        onClick={() => onOpen('form')}
      />
      <IconAction
        ability={isAdmin || texts.adminsGrant}
        label={texts.rowGrant(name)}
        icon={<UserRoundCog />}
        onClick={() => onOpen('grant')}
      />
      <IconAction
        ability={unlessDefault(edit)}
        label={active ? texts.rowDeactivate(name) : texts.rowActivate(name)}
        icon={active ? <PowerOff /> : <Power />}
        onClick={toggle}
      />
      <IconAction
        ability={unlessDefault(remove)}
        label={texts.rowDelete(name)}
        icon={<Trash2 />}
        onClick={() => onOpen('delete')}
      />
    </div>
  );
}
