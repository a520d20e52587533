import { typesInto } from '../platform/types-into.ts';
import { useWindowKey } from '../ui/use-window-key.ts';

type ShellKeys = { onPalette: () => void; onHelp: () => void; onDebugPanel: () => void };

/**
 * Ctrl+K (Cmd on a Mac) opens the palette, `?` outside of text lists the shortcuts, Alt+D and Ctrl+` (Cmd+`) toggle the
 * debug panel (docs/product/screens.md, Command palette and keys; docs/product/screens.md, Debug panel). The first two
 * are disabled while a dialog is open.
 */
export function useShellKeys({ onPalette, onHelp, onDebugPanel }: ShellKeys): void {
  useWindowKey((event) => {
    const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const alone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const debug = (control && event.code === 'Backquote') || (alone && event.code === 'KeyD');
    const isFree = document.querySelector('[aria-modal="true"]') === null;
    const palette = control && event.code === 'KeyK' && isFree;
    const help = event.key === '?' && !control && !event.altKey && isFree && !typesInto(event.target);
    if (!debug && !palette && !help) return;
    if (debug) onDebugPanel();
    else if (palette) onPalette();
    else onHelp();
    event.preventDefault();
  });
}
