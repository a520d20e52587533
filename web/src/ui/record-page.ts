import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { texts } from '../texts/app.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Closing the page of a record goes back to where it was opened: its list, or the page of another one. */
    canGoBack?: boolean;
  }
}

/** Shows the name of a record in the browser's tab, also after the router has set the name of the screen. */
export function useRecordTitle(name: string | undefined): void {
  const router = useRouter();
  useEffect(() => {
    if (name === undefined) return undefined;
    const set = (): void => {
      document.title = `${name} · ${texts.product}`;
    };
    set();
    return router.subscribe('onResolved', set);
  }, [router, name]);
}

/** Returns whether a key without Ctrl, Cmd and Shift was pressed on a page, and not in a dialog or a menu above it. */
export function isKeyOfPage(event: KeyboardEvent, page: HTMLElement | null): boolean {
  const { target, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented } = event;
  const isHere =
    target instanceof Element && (target.matches('body, main') || page?.contains(target) === true);
  return isHere && !ctrlKey && !metaKey && !shiftKey && !isComposing && !defaultPrevented;
}
