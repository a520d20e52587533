import { Popover, type PopoverProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useState, type ReactNode, type RefCallback } from 'react';
import './styles-more.ts';
import { FirstFocus } from './FirstFocus.tsx';
import type { Opened } from './use-opener.ts';

/** A panel beside the button of `useOpener`. The focus moves into it, and returns to the button when it closes. */
export function ButtonPopover({
  part,
  className = '',
  children,
  ...rest
}: { part: Opened; children: ReactNode; className?: string | undefined } & Pick<
  PopoverProps,
  'position' | 'width' | 'transitionProps'
>): ReactNode {
  const { target, ...state } = useDelayedOpen(part);
  return (
    <Popover {...state} {...rest} trapFocus returnFocus>
      <Popover.Target>
        <TargetProxy node={target} />
      </Popover.Target>
      <Popover.Dropdown className={className}>
        <FirstFocus>{children}</FirstFocus>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Opens after the first render: Mantine records the element to focus again only when `opened` changes to true. */
function useDelayedOpen(part: Opened): Opened {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMounted(true));
    return () => clearTimeout(timer);
  }, []);
  return { ...part, opened: part.opened && isMounted };
}

/** Passes a button elsewhere on the page to Mantine as the target. */
export function TargetProxy({ node, ref }: { node: HTMLElement; ref?: RefCallback<HTMLElement> }): ReactNode {
  useLayoutEffect(() => void ref?.(node), [ref, node]);
  return null;
}
