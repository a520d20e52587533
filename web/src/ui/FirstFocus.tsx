import type { ReactNode } from 'react';

/**
 * The contents of a dialog or popover. Mantine sets the initial focus twice, the second time possibly after a key was
 * pressed: here it is set only while the focus is outside.
 */
export const FirstFocus = ({ children }: { children: ReactNode }): ReactNode => (
  <div ref={replaceFocus} data-autofocus style={{ display: 'contents' }}>
    {children}
  </div>
);

const FOCUSABLE =
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"])';

/** Mantine calls `focus` of the first element with the attribute `data-autofocus`, which is this element. */
function replaceFocus(node: HTMLElement | null): void {
  if (!node) return;
  node.focus = () => {
    const dialog = node.closest<HTMLElement>('[role="dialog"]') ?? node;
    if (dialog.contains(document.activeElement)) return;
    const target =
      node.querySelector<HTMLElement>('[data-autofocus]') ??
      [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => element.tabIndex >= 0);
    (target ?? dialog).focus({ preventScroll: true });
  };
}
