import { useEffect, useState } from 'react';

/**
 * For a dialog that is mounted to open: restores the focus when it is unmounted. If the former element is gone or hidden
 * as well, a deleted row's button for example, focuses the screen.
 */
export function useFocusBack(): void {
  const [before] = useState(opener);
  useEffect(
    () => () => {
      const main = document.querySelector('main');
      // Only when no other control has received the focus: the screen as a whole receives it when it is opened.
      if (document.activeElement !== document.body && document.activeElement !== main) return;
      before?.focus({ preventScroll: true });
      if (document.activeElement !== before) main?.focus({ preventScroll: true });
    },
    [before],
  );
}

/** Focuses a screen that was opened, unless the focus is in it, or in a dialog that was opened meanwhile. */
export function focusScreen(): void {
  const main = document.querySelector('main');
  const { activeElement } = document;
  if (main?.contains(activeElement) || activeElement?.closest('[aria-modal="true"]')) return;
  main?.focus({ preventScroll: true });
}

/** Returns the focused element; for a menu, which is closed by then, the button that opened it. */
function opener(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = button ? document.getElementById(button) : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
