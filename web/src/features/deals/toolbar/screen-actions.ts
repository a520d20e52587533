import type { Ability } from '@forecourt/contract/route';
import { useScreenCommands } from '../../../platform/screen-commands.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';

/** An action on the whole screen. */
export type ScreenAction = {
  /** Absent if the palette does not offer it. */
  readonly label?: string;
  /** False if the palette does not offer it to this user or on a phone. */
  readonly isOffered?: boolean;
  /** `true`, or why it cannot be done now. */
  readonly ability?: Ability;
  /** Its shortcut, such as `Ctrl+Shift+L`. */
  readonly keys?: string;
  /** Whether its shortcut was pressed; by default the letter of `keys` with its modifiers. */
  readonly isKey?: (event: KeyboardEvent) => boolean;
  /** Whether it also applies while the page of a deal covers the table. */
  readonly isOfPage?: boolean;
  /** @param event of its shortcut */
  readonly run: (event?: KeyboardEvent) => void;
};

/** Offers the actions in the command palette, and runs them by their shortcuts while no dialog is open. */
export function useOfferedActions(actions: Readonly<Record<string, ScreenAction>>, isCovered: boolean): void {
  const usable = Object.entries(actions).filter(([, { isOfPage }]) => !isCovered || isOfPage);
  useScreenCommands(() =>
    usable.flatMap(([id, { label, isOffered = true, ability = true, keys, run }]) =>
      label !== undefined && isOffered ? [{ id, label, keys, ability, run }] : [],
    ),
  );
  useWindowKey((event) => {
    if (document.querySelector('[aria-modal="true"]')) return;
    // On some layouts a character has the position of another shortcut: the later action wins.
    const pressed = usable.findLast(([, { keys = '', isKey }]) => isKey?.(event) ?? isLetter(event, keys));
    if (!pressed) return;
    event.preventDefault();
    pressed[1].run(event);
  });
}

/** Whether the key at the position of the letter is pressed with these modifiers. Shift does not matter with Alt. */
function isLetter(event: KeyboardEvent, keys: string): boolean {
  const { code, altKey, shiftKey } = event;
  const isCtrl = event.ctrlKey || event.metaKey;
  if (code !== `Key${keys.at(-1)}` || isCtrl !== keys.includes('Ctrl')) return false;
  return altKey === keys.includes('Alt') && (altKey || shiftKey === keys.includes('Shift'));
}

export type ToolbarAction = ScreenAction & { readonly label: string; readonly keys: string };

/** Props of a button whose tooltip has the shortcut of its action. */
export const shortcutProps = ({ label, keys }: ToolbarAction, note = label) => ({
  note: `${note} (${keys})`,
  'aria-keyshortcuts': keys.replace('Ctrl', 'Control'),
});
