import { useId, useState, type MouseEvent } from 'react';

/** What a part needs that opens beside a button: `ButtonPopover` and `ButtonMenu` take it as it is. */
export type Opened = {
  readonly id: string;
  readonly target: HTMLElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
};

/**
 * A button, and what it opens. The button is there from the beginning; what opens comes in a script of its own, which
 * is why it is told of its button instead of standing around it: the button stays the same, with its focus.
 * @returns `button` for the button's properties, `part` for what opens; null until somebody wants it.
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
