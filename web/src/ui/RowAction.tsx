import type { Ability } from '@forecourt/contract/route';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Pencil from 'lucide-react/icons/pencil';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ComponentType, ReactNode } from 'react';
import { texts } from '../texts/table.ts';
import { abilityText } from './ability.ts';
import { IconAction } from './ActionButton.tsx';
import { toastOutcome } from './toasts.ts';

type Action = keyof typeof texts.rowActions;

const icons: Record<Action, ComponentType> = {
  edit: Pencil,
  share: Share2,
  transfer: ArrowRightLeft,
  activate: Power,
  deactivate: PowerOff,
  delete: Trash2,
};

type Reasons = Readonly<Record<string, string>>;

type RowActionProps = {
  action: Action;
  /** Name of the row, for the label. */
  name: string;
  ability?: Ability;
  reasons?: Reasons;
  onClick: () => void;
};

/** A row's button for a usual action. If the ability is refused, it shows the reason. */
export const RowAction = ({ action, name, ability = true, reasons, onClick }: RowActionProps): ReactNode => (
  <IconAction
    icon={icons[action]}
    label={texts.rowActions[action](name)}
    ability={reasons ? abilityText(ability, reasons) : ability}
    onClick={onClick}
  />
);

type ToggleActionProps = Pick<RowActionProps, 'name' | 'ability'> & {
  active: boolean;
  texts: { activated: string; deactivated: string; statusFailed: string; reasons: Reasons };
  isSaving: boolean;
  save: () => Promise<unknown>;
};

/** A row's button that activates or deactivates it. */
export const ToggleAction = ({
  active,
  texts: own,
  isSaving,
  save,
  ...row
}: ToggleActionProps): ReactNode => (
  <RowAction
    {...row}
    action={active ? 'deactivate' : 'activate'}
    reasons={own.reasons}
    onClick={() =>
      isSaving || toastOutcome(save(), active ? own.deactivated : own.activated, own.statusFailed)
    }
  />
);
