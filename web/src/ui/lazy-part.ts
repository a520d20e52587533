import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { loadScript } from '../platform/load-script.ts';
import { texts } from '../texts/loading.ts';
import { toastWarning } from './toasts.ts';

/**
 * Creates a component whose script is loaded when it is first rendered. A toast reports a failure; the component
 * appears as soon as a later attempt succeeds.
 */
export const lazyPart = <P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(() => loadScript(load, () => toastWarning(texts.partMissing, 'part-missing')));
