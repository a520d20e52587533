import type { UserPermissions } from '@forecourt/contract/permissions';
import type { User } from '@forecourt/contract/users';
import { Button, Menu } from '@mantine/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Copy from 'lucide-react/icons/copy';
import Eye from 'lucide-react/icons/eye';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import { useState, type ReactNode } from 'react';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/permissions.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { viewAs } from './permissions.queries.ts';
import { presetKeys, presets } from './presets.ts';
import { defaultValues, type RecordValues } from './record-values.ts';

export type PersonWithRecord = User & { readonly record: UserPermissions };

type RecordHeadProps = {
  person: PersonWithRecord;
  isDirty: boolean;
  /** Replaces values of the form without saving. */
  onFill: (source: string, values: Partial<RecordValues>) => void;
  onCopy: () => void;
};

/** The user's name and state, presets and copies to fill the form, and View as. */
export function RecordHead({ person, isDirty, onFill, onCopy }: RecordHeadProps): ReactNode {
  const { button, part } = useOpener('menu');
  return (
    <header className="ui-row ui-top ui-between ui-pad">
      <div>
        <h2 id="permissions-of">{person.name}</h2>
        <p className="ui-quiet">{person.email}</p>
      </div>
      <div className="ui-row">
        <Button variant="default" rightSection={<ChevronDown size={14} />} {...button}>
          {texts.fillIn}
        </Button>
        {part && (
          <ButtonMenu part={part} position="bottom-end" width={300}>
            <Menu.Label>{texts.presetHint}</Menu.Label>
            {presetKeys
              .filter((preset) => preset !== 'defaults')
              .map((preset) => (
                <MenuAction key={preset} onRun={() => onFill(texts.presets[preset], presets[preset])}>
                  {texts.presets[preset]}
                  <span className="ui-sub">{texts.presetNotes[preset]}</span>
                </MenuAction>
              ))}
            <Menu.Divider />
            <MenuAction icon={<Copy />} onRun={onCopy}>
              {texts.copy}
            </MenuAction>
            <MenuAction icon={<RotateCcw />} onRun={() => onFill(texts.presets.defaults, defaultValues)}>
              {texts.reset}
            </MenuAction>
          </ButtonMenu>
        )}
        <ViewAsButton person={person} isDirty={isDirty} />
      </div>
    </header>
  );
}

function ViewAsButton({ person, isDirty }: Pick<RecordHeadProps, 'person' | 'isDirty'>): ReactNode {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const refusal =
    (person.userId === user?._id && texts.viewAsSelf) ||
    (!person.isActive && texts.viewAsInactive) ||
    (isDirty && texts.viewAsUnsaved);

  const view = async (): Promise<void> => {
    setBusy(true);
    try {
      await viewAs(person.userId);
    } catch (thrown) {
      setBusy(false);
      toastFailed(thrown);
    }
  };

  return (
    <ActionButton
      ability={refusal || true}
      variant="default"
      leftSection={<Eye />}
      loading={busy}
      onClick={() => void view()}
    >
      {texts.viewAs}
    </ActionButton>
  );
}
