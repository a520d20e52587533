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

/** A press that moves by this many px is a scroll. */
const MOVE_PX = 10;

const isMenuKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && (key === 'ContextMenu' || (key === 'F10' && shiftKey));

/**
 * Returns the handlers of an element with a context menu: right click, Shift+F10, the menu key, and a long press, for
 * which some phone browsers dispatch no `contextmenu`.
 *
 * @param open opens the menu and returns true; false opens the browser's own menu. `at` is null for a key
 */
export function useMenuGesture(open: (target: Element, at: Point | null) => boolean) {
  const latest = useRef(open);
  useLayoutEffect(() => {
    latest.current = open;
  });
  const press = useRef<(Point & { readonly timer: ReturnType<typeof setTimeout> }) | null>(null);
  /** The current press has opened a menu, so its click must have no effect. */
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
      // Browsers now dispatch mouse events for the touch, which would close the menu.
      if (isDone.current && event.cancelable) event.preventDefault();
    },

    onClickCapture(event: MouseEvent): void {
      // A click caused by a key has `detail` 0 and no pointer event before it.
      if (!isDone.current || event.detail === 0) return;
      isDone.current = false;
      event.stopPropagation();
      event.preventDefault();
    },

    onContextMenu(event: MouseEvent): void {
      const { target, clientX: x, clientY: y } = event;
      // A `contextmenu` event of a long press, before or after the timer above.
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
