import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { createStore, notifyOneByOne, useStore } from './external-store.ts';
import { loadScript } from './load-script.ts';

/** Deferred scripts and requests start after this time even when the first screen still waits for data; in milliseconds. */
const LATEST_MS = 4000;

/** Pause between the first paint and the deferred work, in milliseconds. */
const REST_MS = 100;

let isPainted = false;
const isReady = createStore(false, notifyOneByOne);
const queue: (() => Promise<unknown>)[] = [];
let isLoading = false;

/**
 * Creates a lazy component that the first screen does not need: its script is loaded when that screen is ready, or when
 * the component is first rendered. Unlike with `lazy` alone, the component is available offline after the first load.
 */
export function lazyAfterFirstPaint<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  const loadWhenPossible = (): ReturnType<typeof load> => loadScript(load);
  queue.push(loadWhenPossible);
  if (isReady.get()) void loadQueued();
  return lazy(loadWhenPossible);
}

/** Called when the first screen is painted with its content. Later calls have no effect. */
export function markFirstScreenReady(): void {
  if (isPainted) return;
  isPainted = true;
  performance.mark('first screen');
  setTimeout(() => {
    isReady.set(true);
    void loadQueued();
  }, REST_MS);
}

/** Returns whether the first screen is ready; requests that it does not need are enabled by this. */
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
