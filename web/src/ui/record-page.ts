import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { texts } from '../texts/app.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether closing the page returns to the page from which it was opened. */
    canGoBack?: boolean;
  }
}

/** Sets the title of the browser's tab to a record's name, also after the router has set the screen's name. */
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

/** Whether a key without Ctrl, Cmd and Shift was pressed on a page, not in a dialog or menu above it. */
export function isKeyOfPage(event: KeyboardEvent, page: HTMLElement | null): boolean {
  const { target, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented } = event;
  const isHere =
    target instanceof Element && (target.matches('body, main') || page?.contains(target) === true);
  return isHere && !ctrlKey && !metaKey && !shiftKey && !isComposing && !defaultPrevented;
}
