import { afterPaint } from '../platform/after-paint.ts';

const TABBABLE =
  'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * Preserves the keyboard focus if a press removes the pressed button, or disables it during its action: the focus
 * returns to the button, or moves to the next control. Otherwise the browser would drop it, and Tab would begin at the
 * top of the page. Returns a function that ends this.
 */
export function keepFocus(): () => void {
  let end: (() => void) | undefined;
  const onClick = ({ target }: MouseEvent): void => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button || button !== document.activeElement) return;
    end?.();
    end = watch(button);
  };
  document.addEventListener('click', onClick, true);
  return () => {
    document.removeEventListener('click', onClick, true);
    end?.();
  };
}

/** Watches a focused button until another element has the focus. */
function watch(button: HTMLButtonElement): () => void {
  const places: Element[] = [];
  for (let place = button.parentElement; place; place = place.parentElement) places.push(place);
  let isWaiting = false;

  const look = async (): Promise<void> => {
    if (isWaiting || document.activeElement !== document.body) return;
    isWaiting = true;
    // Code that moves the focus on purpose has done so by then.
    await afterPaint();
    isWaiting = false;
    if (document.activeElement !== document.body || 'loading' in button.dataset) return;
    const target = button.isConnected && !button.disabled ? button : nextIn(places);
    target?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => void look());
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
  const onFocus = ({ target }: FocusEvent): void => {
    if (target !== button) end();
  };
  document.addEventListener('focusin', onFocus);
  function end(): void {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
  }
  return end;
}

/** Returns the first control in the innermost remaining container; the screen if that is the container. */
function nextIn(places: readonly Element[]): HTMLElement | null {
  for (const place of places) {
    if (!place.isConnected) continue;
    if (place instanceof HTMLElement && place.hasAttribute('tabindex')) return place;
    const screen = place.querySelector<HTMLElement>('main');
    if (screen) return document.querySelector('[aria-modal="true"]') ? null : screen;
    const control = place.querySelector<HTMLElement>(TABBABLE);
    if (control) return control;
  }
  return null;
}
