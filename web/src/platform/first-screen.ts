import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { createStore, notifyOneByOne, useStore } from './external-store.ts';
import { loadScript } from './load-script.ts';

/** Deferred work starts after this time in milliseconds, even if the first screen still waits for data. */
const LATEST_MS = 4000;

/** Pause between the first paint and the deferred work, in milliseconds. */
const REST_MS = 100;

let isPainted = false;
const isReady = createStore(false, notifyOneByOne);
const queue: (() => Promise<unknown>)[] = [];
let isLoading = false;

/**
 * Creates a lazy component that the first screen does not need. Its script is loaded when that screen is ready or the
 * component is rendered. Unlike with `lazy` alone, it is then available offline.
 */
export function lazyAfterFirstPaint<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  const loadWhenPossible = (): ReturnType<typeof load> => loadScript(load);
  queue.push(loadWhenPossible);
  if (isReady.get()) void loadQueued();
  return lazy(loadWhenPossible);
}

/** Called when the content of the first screen is painted. Later calls have no effect. */
export function markFirstScreenReady(): void {
  if (isPainted) return;
  isPainted = true;
  performance.mark('first screen');
  setTimeout(() => {
    isReady.set(true);
    void loadQueued();
  }, REST_MS);
}

/** Whether the first screen is ready. Enables requests that it does not need. */
export const useFirstScreenReady = (): boolean => useStore(isReady);

/** Limits the wait for the first screen. Called once, at the start. */
export function limitFirstScreenWait(): void {
  setTimeout(markFirstScreenReady, LATEST_MS);
}

/** Loads one script at a time, so that typing stays responsive. */
async function loadQueued(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  // A script that throws is reported when its component is rendered.
  for (let load = queue.shift(); load; load = queue.shift()) await load().catch(() => undefined);
  isLoading = false;
  performance.mark('whole screen');
}
