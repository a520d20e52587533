import { useEffect, useState } from 'react';

/**
 * Restores the focus when a dialog is unmounted. If the former element is gone or hidden, for example a deleted row's
 * button, focuses the screen; the table if it was an editor of it.
 */
export function useFocusBack(): void {
  const [before] = useState(opener);
  const [table] = useState(() => before?.closest<HTMLElement>('[role="grid"]'));
  useEffect(
    () => () => {
      const main = document.querySelector('main');
      // Skipped if another control has received the focus, since an opened screen receives it as a whole.
      if (document.activeElement !== document.body && document.activeElement !== main) return;
      for (const element of [before, table, main]) {
        element?.focus({ preventScroll: true });
        if (element && document.activeElement === element) return;
      }
    },
    [before, table],
  );
}

/** Focuses an opened screen, unless the focus is already in it or in a dialog. */
export function focusScreen(): void {
  const main = document.querySelector('main');
  const { activeElement } = document;
  if (main?.contains(activeElement) || activeElement?.closest('[aria-modal="true"]')) return;
  main?.focus({ preventScroll: true });
}

/** Returns the focused element; for an entry of a menu the button that opened the menu. */
function opener(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const element = button ? document.getElementById(button) : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
