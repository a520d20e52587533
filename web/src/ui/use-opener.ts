import { useId, useRef, useState } from 'react';

/** Props for `ButtonPopover` and `ButtonMenu`. */
export type Opened = {
  readonly id: string;
  readonly target: HTMLElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
};

/**
 * A button that opens a lazily loaded part. It is passed to the part as a prop, so that the element and its focus are
 * preserved when the script is loaded.
 * @returns `button`: the button's props; `part`: props of the opened part, null until it is first opened; `open`: opens
 * it without a click
 */
export function useOpener(popup: 'dialog' | 'menu') {
  const id = useId();
  const element = useRef<HTMLElement | null>(null);
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const show = (next: boolean): void => {
    setTarget(element.current);
    setOpened(next);
  };

  const button = {
    id,
    'aria-haspopup': popup,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    ref: (button: HTMLElement | null): void => void (element.current = button),
    onClick: (): void => show(!opened),
  };
  const part: Opened | null = target && { id, target, opened, onChange: setOpened };
  return { button, part, open: (): void => show(true) };
}

export type Opener = ReturnType<typeof useOpener>;
