import { useId, useState, type MouseEvent } from 'react';

/** Props for `ButtonPopover` and `ButtonMenu`. */
export type Opened = {
  readonly id: string;
  readonly target: HTMLElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
};

/**
 * A button that opens a lazily loaded part. The part receives the button as a prop instead of wrapping it, so that the
 * button remains the same element, with its focus, when the script is loaded.
 * @returns `button`: the button's props; `part`: those of the opened part, null until it is first opened
 */
export function useOpener(popup: 'dialog' | 'menu') {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);

  const button = {
    id,
    'aria-haspopup': popup,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    onClick(event: MouseEvent<HTMLElement>): void {
      setTarget(event.currentTarget);
      setOpened(!opened);
    },
  };
  const part: Opened | null = target && { id, target, opened, onChange: setOpened };
  return { button, part };
}
