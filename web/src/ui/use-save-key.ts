import { useWindowKey } from './use-window-key.ts';

/** Ctrl+S (Cmd on Mac) saves the screen instead of the page. Disabled while a dialog is open. */
export function useSaveKey(onSave: () => void): void {
  useWindowKey((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!document.querySelector('[aria-modal="true"]')) onSave();
  });
}
