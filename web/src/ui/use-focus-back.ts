import { useEffect, useState } from 'react';

/**
 * For a dialog that is mounted to open: restores the focus when it is unmounted. If the former element is gone as well, a
 * deleted row's button for example, focuses the screen.
 */
export function useFocusBack(): void {
  const [before] = useState(opener);
  useEffect(
    () => () => {
      // Only when nothing else has received the focus.
      if (document.activeElement !== document.body) return;
      const next = before?.isConnected ? before : document.querySelector('main');
      next?.focus({ preventScroll: true });
    },
    [before],
  );
}

/** Returns the focused element; for a menu, which is closed by then, the button that opened it. */
function opener(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = button ? document.getElementById(button) : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
