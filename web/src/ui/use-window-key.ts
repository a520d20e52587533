import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Handles every key of the page while mounted, with the latest props. Starts in the commit that shows the screen: an
 * effect after the paint would lose a key that is pressed as soon as the screen is visible.
 */
export function useWindowKey(onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** Ctrl+S (Cmd on Mac) saves the screen instead of the page, unless a dialog is open. */
export function useSaveKey(onSave: () => void): void {
  useWindowKey((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!document.querySelector('[aria-modal="true"]')) onSave();
  });
}
