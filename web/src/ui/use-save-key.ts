import { useEffect, useEffectEvent } from 'react';

/** Ctrl+S (Cmd on Mac) saves the screen instead of the page. Not while a dialog is open. */
export function useSaveKey(onSave: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!document.querySelector('[aria-modal="true"]')) onSave();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
