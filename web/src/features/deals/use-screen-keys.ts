import { useEffect, useEffectEvent } from 'react';

type ScreenKeys = { onFind: () => void; onNewRow: () => void };

/** Ctrl+F searches the data and not the page; Alt+N begins a row. Not while a dialog is open. */
export function useScreenKeys({ onFind, onNewRow }: ScreenKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (document.querySelector('[aria-modal="true"]')) return;
    const find =
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyF';
    const fresh = event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN';
    if (!find && !fresh) return;
    event.preventDefault();
    if (find) onFind();
    else onNewRow();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
