import type { Ability } from '@forecourt/contract/route';
import { toastWarning } from '../../ui/toasts.ts';
import { useWindowKey } from '../../ui/use-window-key.ts';

/** Ctrl+Enter (Cmd on Mac) sends, or shows why not. A held key, which may have opened the dialog, is ignored. */
export function useSendKey(ability: Ability, busy: boolean, send: () => Promise<void>): void {
  useWindowKey((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // Otherwise the key would also press a focused button.
    event.preventDefault();
    if (event.repeat || busy) return;
    if (ability === true) void send();
    else toastWarning(ability, 'send-key');
  });
}
