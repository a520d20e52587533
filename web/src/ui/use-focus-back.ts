import { useEffect, useState } from 'react';

/**
 * For a dialog that is mounted when it is wanted: when it is gone, the keyboard goes on where it was. What was
 * there may be gone as well, a deleted row's button for example; then it goes on at the screen.
 */
export function useFocusBack(): void {
  const [before] = useState(opener);
  useEffect(
    () => () => {
      // Whoever took the focus meanwhile keeps it.
      if (document.activeElement !== document.body) return;
      const next = before?.isConnected ? before : document.querySelector('main');
      next?.focus({ preventScroll: true });
    },
    [before],
  );
}

/** What has the focus; of a menu, which is closed by then, the button that opened it. */
function opener(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = button ? document.getElementById(button) : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
