import type { Dealership } from '@forecourt/contract/dealerships';
import { Button, Menu } from '@mantine/core';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
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
  const refusal = chosen.find(({ abilities }) => abilities.toggle !== true)?.abilities.toggle;

  const apply = (active: boolean): void =>
    setActive.mutate(
      { ids: chosen.map(({ _id }) => _id), active },
      {
        onSuccess: ({ total }) => {
          toastDone(active ? texts.manyActivated(total) : texts.manyDeactivated(total));
          onDone();
        },
        onError: (error) => toastFailed(error, texts.statusFailed),
      },
    );

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          disabled={chosen.length === 0 || refusal !== undefined}
          title={refusal === undefined ? undefined : texts.reasons.NO_DEALERSHIP_TOGGLE}
          loading={setActive.isPending}
          rightSection={<ChevronDown size={14} />}
        >
          {chosen.length === 0 ? texts.actions : `${texts.actions} (${chosen.length})`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {onShare && (
          <Menu.Item leftSection={<Share2 />} onClick={onShare}>
            {texts.shareSelected}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Power />} onClick={() => apply(true)}>
          {texts.activateSelected}
        </Menu.Item>
        <Menu.Item leftSection={<PowerOff />} onClick={() => apply(false)}>
          {texts.deactivateSelected}
        </Menu.Item>
        {onTransfer && (
          <Menu.Item leftSection={<ArrowRightLeft />} onClick={onTransfer}>
            {texts.transferSelected}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
