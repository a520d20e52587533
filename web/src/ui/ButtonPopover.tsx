import { Menu, Popover, type MenuProps, type PopoverProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useState, type ReactNode, type RefCallback } from 'react';
import './styles-more.ts';
import type { Opened } from './use-opener.ts';

type PartProps = { part: Opened; children: ReactNode };

/** A panel beside the button of `useOpener`. The focus goes into it, and back to the button when it closes. */
export function ButtonPopover({
  part,
  className = '',
  children,
  ...rest
}: PartProps & { className?: string | undefined } & Pick<
    PopoverProps,
    'position' | 'width' | 'transitionProps'
  >): ReactNode {
  const { target, ...state } = useSettled(part);
  return (
    <Popover {...state} {...rest} trapFocus returnFocus>
      <Popover.Target>
        <ThereAlready node={target} />
      </Popover.Target>
      <Popover.Dropdown className={className}>{children}</Popover.Dropdown>
    </Popover>
  );
}

/** The same for a menu; its children are Mantine's items. */
export function ButtonMenu({
  part,
  children,
  ...rest
}: PartProps & Pick<MenuProps, 'position' | 'width'>): ReactNode {
  const { target, ...state } = useSettled(part);
  return (
    <Menu {...state} {...rest}>
      <Menu.Target>
        <ThereAlready node={target} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** What opens is closed at first: Mantine notes where the focus was when it sees it open, and not at its beginning. */
function useSettled(part: Opened): Opened {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setThere(true));
    return () => clearTimeout(timer);
  }, []);
  return { ...part, opened: part.opened && isThere };
}

/** Stands for a button that is elsewhere on the page: what Mantine tells its target goes there. */
function ThereAlready({ node, ref }: { node: HTMLElement; ref?: RefCallback<HTMLElement> }): ReactNode {
  useLayoutEffect(() => void ref?.(node), [ref, node]);
  return null;
}
