import type { Dealership } from '@forecourt/contract/dealerships';
import { Button } from '@mantine/core';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { abilityText } from '../../ui/ability.ts';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { useSetActive } from './dealerships.queries.ts';

type SelectionMenuProps = {
  chosen: readonly Dealership[];
  /** Of administrators; absent for other users (docs/product/dealerships.md, Dealership Settings screen). */
  onShare: (() => void) | undefined;
  onTransfer: (() => void) | undefined;
  /** Called once all of them were changed. */
  onDone: () => void;
};

/**
 * Actions on the selected dealerships; enabled only with a selection
 * (docs/product/dealerships.md, Dealership Settings screen).
 */
export function SelectionMenu({ chosen, onShare, onTransfer, onDone }: SelectionMenuProps): ReactNode {
  const setActive = useSetActive();
  const { button, part } = useOpener('menu');
  const refused = chosen.find(({ abilities }) => abilities.toggle !== true)?.abilities.toggle;
  const canToggle = abilityText(refused ?? true, texts.reasons);

  const apply = (active: boolean): void =>
    void setActive.mutateAsync({ body: { ids: chosen.map(({ _id }) => _id), active } }).then(
      ({ total }) => {
        toastDone(active ? texts.manyActivated(total) : texts.manyDeactivated(total));
        onDone();
      },
      (thrown: unknown) => toastFailed(thrown, texts.statusFailed),
    );

  return (
    <>
      <Button
        variant="default"
        disabled={chosen.length === 0}
        loading={setActive.isPending}
        rightSection={<ChevronDown size={14} />}
        {...button}
      >
        {chosen.length === 0 ? texts.actions : `${texts.actions} (${chosen.length})`}
      </Button>
      {part && (
        <ButtonMenu part={part} position="bottom-end">
          {onShare && (
            <MenuAction icon={<Share2 />} onRun={onShare}>
              {texts.shareSelected}
            </MenuAction>
          )}
          <MenuAction icon={<Power />} ability={canToggle} onRun={() => apply(true)}>
            {texts.activateSelected}
          </MenuAction>
          <MenuAction icon={<PowerOff />} ability={canToggle} isReasonKnown onRun={() => apply(false)}>
            {texts.deactivateSelected}
          </MenuAction>
          {onTransfer && (
            <MenuAction icon={<ArrowRightLeft />} onRun={onTransfer}>
              {texts.transferSelected}
            </MenuAction>
          )}
        </ButtonMenu>
      )}
    </>
  );
}
