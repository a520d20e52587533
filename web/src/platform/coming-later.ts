import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { createStore, tellOneByOne, useStore } from './external-store.ts';

/** A screen that takes longer than this gets the rest while it still waits for its data; in milliseconds. */
const LATEST_MS = 4000;

/** What was painted is brought to the screen before anything else is begun; in milliseconds. */
const REST_MS = 100;

let isPainted = false;
const stands = createStore(false, tellOneByOne);
const waiting: (() => Promise<unknown>)[] = [];
let isComing = false;

/**
 * A component that the first screen can do without: its script comes when that screen stands, or when the component is
 * shown, whichever is first. Unlike with `lazy` alone it is there when the line is gone by the time it is wanted.
 */
export function comingLater<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  waiting.push(load);
  if (stands.get()) void bringAll();
  return lazy(load);
}

/** Called when the first screen shows what somebody came for, painted. Later calls change nothing. */
export function firstScreenStands(): void {
  if (isPainted) return;
  isPainted = true;
  performance.mark('first screen');
  setTimeout(() => {
    stands.set(true);
    void bringAll();
  }, REST_MS);
}

/** Whether it does: what nobody misses before is not asked of the server before. */
export const useFirstScreenStands = (): boolean => useStore(stands);

/** Limits the waiting. Called once, at the start. */
export function awaitFirstScreen(): void {
  setTimeout(firstScreenStands, LATEST_MS);
}

/** One after the other, so that somebody who types meanwhile feels nothing of it. */
async function bringAll(): Promise<void> {
  if (isComing) return;
  isComing = true;
  // Whoever wants a part that did not come is told then.
  for (let load = waiting.shift(); load; load = waiting.shift()) await load().catch(() => undefined);
  isComing = false;
  performance.mark('whole screen');
}
