import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type TouchEvent,
} from 'react';

/** A point in the window, in px. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Duration of a long press, in milliseconds. */
const LONG_PRESS_MS = 500;

/** Px of movement that make a press the beginning of a scroll. */
const MOVE_PX = 10;

const isMenuKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && (key === 'ContextMenu' || (key === 'F10' && shiftKey));

/**
 * Returns the handlers of an element with a context menu: right click, Shift+F10, the menu key, and a long press, for
 * which some browsers of phones dispatch no `contextmenu`.
 *
 * @param open opens the menu and returns true; false leaves the browser's own. `at` is null for a key
 */
export function useMenuGesture(open: (target: Element, at: Point | null) => boolean) {
  const latest = useRef(open);
  useLayoutEffect(() => {
    latest.current = open;
  });
  const press = useRef<(Point & { readonly timer: ReturnType<typeof setTimeout> }) | null>(null);
  /** The current press has opened a menu: its click must have no effect. */
  const isDone = useRef(false);

  const stop = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  return {
    onPointerDownCapture({ target, clientX: x, clientY: y, pointerType, isPrimary }: PointerEvent): void {
      stop();
      isDone.current = false;
      if (pointerType !== 'touch' || !isPrimary || !(target instanceof Element)) return;
      const finish = (): void => {
        press.current = null;
        isDone.current = latest.current(target, { x, y });
      };
      press.current = { x, y, timer: setTimeout(finish, LONG_PRESS_MS) };
    },

    onPointerMoveCapture({ clientX, clientY }: PointerEvent): void {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > MOVE_PX) stop();
    },

    onPointerUpCapture: stop,
    onPointerCancelCapture: stop,

    onTouchEndCapture(event: TouchEvent): void {
      // The press and click of a mouse that browsers dispatch now would close the menu.
      if (isDone.current && event.cancelable) event.preventDefault();
    },

    onClickCapture(event: MouseEvent): void {
      // The click of a key has no details, and no press before it.
      if (!isDone.current || event.detail === 0) return;
      isDone.current = false;
      event.stopPropagation();
      event.preventDefault();
    },

    onContextMenu(event: MouseEvent): void {
      const { target, clientX: x, clientY: y } = event;
      // After a long press, as the timer above or before it.
      const isTouch = press.current !== null;
      stop();
      if (!isDone.current && !(target instanceof Element && latest.current(target, { x, y }))) return;
      event.preventDefault();
      if (isTouch) isDone.current = true;
    },

    onKeyDownCapture(event: KeyboardEvent): void {
      const { target } = event;
      if (!isMenuKey(event) || !(target instanceof Element) || !latest.current(target, null)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
