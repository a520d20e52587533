import { Button, Popover, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { FirstFocus } from '../../../ui/FirstFocus.tsx';
import { linkFrom } from './links.ts';

type AddressPopoverProps = {
  address: string | undefined;
  onApply: (address: string, typed: string) => void;
  removeLabel: string;
  onRemove: () => void;
  children: (open: () => void) => ReactNode;
};

/** A form for a web, mail or phone address. */
export function AddressPopover(props: AddressPopoverProps): ReactNode {
  const { address, onApply, removeLabel, onRemove, children } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setIsWrong] = useState(false);

  const close = (): void => {
    setTyped(null);
    setIsWrong(false);
  };

  const apply = (): void => {
    const target = linkFrom(typed ?? '');
    if (target === null) {
      setIsWrong(true);
      return;
    }
    onApply(target, typed?.trim() ?? '');
    close();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    apply();
  };

  return (
    <Popover
      opened={typed !== null}
      onDismiss={close}
      position="bottom-start"
      trapFocus
      width={340}
      withinPortal
    >
      <Popover.Target>{children(() => setTyped(address ?? ''))}</Popover.Target>
      <Popover.Dropdown className="ui-stack ui-gap-3">
        <FirstFocus>
          <TextInput
            label={texts.linkAddress}
            placeholder={texts.linkPlaceholder}
            data-autofocus
            value={typed ?? ''}
            error={isWrong && texts.linkInvalid}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsWrong(false);
            }}
            onKeyDown={onKeyDown}
          />
          <div className="ui-line ui-end">
            {address !== undefined && (
              <Button
                variant="default"
                onClick={() => {
                  onRemove();
                  close();
                }}
              >
                {removeLabel}
              </Button>
            )}
            <Button onClick={apply}>{texts.linkApply}</Button>
          </div>
        </FirstFocus>
      </Popover.Dropdown>
    </Popover>
  );
}
