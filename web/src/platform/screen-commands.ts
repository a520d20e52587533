import type { Ability } from '@forecourt/contract/route';
import { useEffect, useRef, type RefObject } from 'react';
import { createStore, useStore } from './external-store.ts';

/** An action of the open screen that the command palette offers. */
export type ScreenCommand = {
  readonly id: string;
  readonly label: string;
  /** Its shortcut, such as `Ctrl+Enter`. */
  readonly keys?: string | undefined;
  /** `true`, or the reason why it cannot run. */
  readonly ability: Ability;
  readonly run: () => void;
};

type Provider = RefObject<() => readonly ScreenCommand[]>;

const providers = createStore<readonly Provider[]>([]);

/** Returns the actions of the open screen, including parts that load later. */
export const useOfferedCommands = (): readonly ScreenCommand[] =>
  useStore(providers).flatMap((provider) => provider.current());

/** Offers actions in the command palette while the component is mounted. */
export function useScreenCommands(commands: () => readonly ScreenCommand[]): void {
  const provider = useRef(commands);
  useEffect(() => {
    provider.current = commands;
  });
  useEffect(() => {
    providers.set([...providers.get(), provider]);
    return () => providers.set(providers.get().filter((other) => other !== provider));
  }, []);
}
