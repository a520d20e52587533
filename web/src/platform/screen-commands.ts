import type { Ability } from '@forecourt/contract/route';
import { useEffect, useEffectEvent } from 'react';

/** An action of the open screen, which the command palette also offers. */
export type ScreenCommand = {
  readonly id: string;
  readonly label: string;
  /** Its key, such as `Ctrl+Enter`. */
  readonly keys?: string | undefined;
  /** `true`, or why it cannot run. */
  readonly ability: Ability;
  readonly run: () => void;
};

const providers = new Set<() => readonly ScreenCommand[]>();

/** Returns the actions of the open screen at this moment. */
export const screenCommands = (): readonly ScreenCommand[] => [...providers].flatMap((provide) => provide());

/** Offers actions in the command palette while the component is mounted. They are read when the palette opens. */
export function useScreenCommands(commands: () => readonly ScreenCommand[]): void {
  const provide = useEffectEvent(commands);
  useEffect(() => {
    const current = (): readonly ScreenCommand[] => provide();
    providers.add(current);
    return () => void providers.delete(current);
  }, []);
}
