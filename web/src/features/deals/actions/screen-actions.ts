import type { Ability } from '@forecourt/contract/route';
import { useScreenCommands } from '../../../platform/screen-commands.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { ariaKeys, pressedKeys } from '../action-keys.ts';
import { runAction } from './main-actions.ts';

/** An action on the whole screen. */
export type ScreenAction = {
  /** Absent if the palette does not offer it. */
  readonly label?: string;
  /** False if the palette does not offer it to this user or on a phone. */
  readonly isOffered?: boolean;
  /** `true`, or why it cannot be done now. */
  readonly ability?: Ability;
  /** Its shortcut, of `actionKeys`. */
  readonly keys?: string;
  /** Whether its shortcut was pressed; by default whether `keys` are. */
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
    const keysOfEvent = pressedKeys(event);
    // On some layouts a character has the position of another shortcut: the later action wins.
    const pressed = usable.findLast(([, { keys, isKey }]) => isKey?.(event) ?? keys === keysOfEvent);
    if (!pressed) return;
    event.preventDefault();
    const { ability = true, run } = pressed[1];
    runAction({ ability, run: () => run(event) });
  });
}

export type ToolbarAction = ScreenAction & { readonly label: string; readonly keys: string };

/** Props of a button whose tooltip has the shortcut of its action. */
export const shortcutProps = ({ label, keys }: ToolbarAction, note = label) => ({
  note: `${note} (${keys})`,
  'aria-keyshortcuts': ariaKeys(keys),
});
