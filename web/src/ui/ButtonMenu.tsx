import type { Ability } from '@forecourt/contract/route';
import { Menu, type MenuProps } from '@mantine/core';
import {
  createContext,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import './styles-more.ts';
import { TargetProxy } from './ButtonPopover.tsx';
import { toastWarning } from './toasts.ts';
import type { Opened } from './use-opener.ts';
import styles from './ButtonMenu.module.css';

type ButtonMenuProps = Pick<MenuProps, 'position' | 'width' | 'offset'> & {
  part: Opened;
  /** Name of a menu without a button, such as a context menu. */
  label?: string;
  children: ReactNode;
};

/** Closes the menu and restores the focus. */
const CloseMenu = createContext<() => void>(() => {});

/**
 * A menu beside the button of `useOpener`, or at the target of a context menu; its children are `MenuAction`s.
 *
 * Not Mantine's focus handling: it moves the focus some frames after the menu appears, and twice, so that keys pressed
 * in between would reach the page. Here the focus moves in the commit that shows or removes the menu.
 */
export function ButtonMenu({ part, label, children, ...rest }: ButtonMenuProps): ReactNode {
  const { target, ...state } = part;
  const { onChange } = part;
  // Rendered in the landmark of its button. `main` is not positioned, so it does not clip the menu.
  const landmark = target.closest<HTMLElement>('main');
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keeps keys from the screen, whose shortcuts are inactive while a menu is open.
    event.stopPropagation();
    if (event.key !== 'Escape' && event.key !== 'Tab') return;
    event.preventDefault();
    onChange(false);
  };

  return (
    <Menu
      {...state}
      {...rest}
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
      hideDetached={false}
      {...(landmark && { portalProps: { target: landmark } })}
      // `keydown` is left out, because the key that opens a menu would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
    >
      <Menu.Target>
        <TargetProxy node={target} />
      </Menu.Target>
      <Menu.Dropdown
        className={styles.menu ?? ''}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => event.preventDefault()}
        {...(label !== undefined && { 'aria-label': label, 'aria-labelledby': undefined })}
      >
        <MenuBody onChange={onChange}>{children}</MenuBody>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Focuses the first entry in the first commit of the menu, and restores the focus in the last. */
function MenuBody({ onChange, children }: Pick<Opened, 'onChange'> & { children: ReactNode }): ReactNode {
  const mark = useRef<HTMLSpanElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const menu = mark.current?.closest('[role="menu"]');
    before.current = document.activeElement;
    menu?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
    return () => {
      if (menu?.contains(document.activeElement)) restoreFocus(before.current);
    };
  }, []);
  const close = useCallback(() => {
    restoreFocus(before.current);
    onChange(false);
  }, [onChange]);
  return (
    <CloseMenu value={close}>
      <span ref={mark} hidden />
      {children}
    </CloseMenu>
  );
}

function restoreFocus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

type MenuActionProps = {
  icon?: ReactNode;
  /** Such as `Ctrl+C`; shown at the right. */
  keys?: string | undefined;
  /** `true`, or the reason of a refusal, which is shown below the name. */
  ability?: Ability;
  /** Whether the entry above shows the same reason: it is then only read aloud. */
  isReasonKnown?: boolean;
  isCurrent?: boolean;
  onRun: () => void;
  children: ReactNode;
};

/** An entry of a menu. It runs after the menu was closed and the focus restored. */
export function MenuAction({
  icon,
  keys,
  ability = true,
  isReasonKnown = false,
  isCurrent = false,
  onRun,
  children,
}: MenuActionProps): ReactNode {
  const close = use(CloseMenu);
  const id = useId();
  const reason = ability === true ? undefined : ability;
  const run = (): void => {
    if (reason !== undefined) return toastWarning(reason);
    close();
    onRun();
  };
  return (
    <Menu.Item
      className={styles.item ?? ''}
      leftSection={icon}
      rightSection={
        keys !== undefined && (
          <span className={styles.keys} aria-hidden>
            {keys}
          </span>
        )
      }
      closeMenuOnClick={false}
      aria-describedby={reason === undefined ? undefined : id}
      aria-keyshortcuts={keys
        ?.replace('Ctrl', 'Control')
        .replace('←', 'ArrowLeft')
        .replace('→', 'ArrowRight')}
      // Mantine's `disabled` is not used: arrow keys would skip the entry, and its reason could not be read.
      aria-disabled={reason !== undefined || undefined}
      aria-current={isCurrent || undefined}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={run}
    >
      {children}
      {reason !== undefined && (
        <span id={id} className={isReasonKnown ? 'ui-hidden' : styles.reason} aria-hidden>
          {reason}
        </span>
      )}
    </Menu.Item>
  );
}
