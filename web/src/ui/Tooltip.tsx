import {
  cloneElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type DOMAttributes,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import styles from './Tooltip.module.css';

/** The delay before it opens on hover, in milliseconds. */
const OPEN_MS = 250;

const GAP = 5;
/** Px between the tooltip and the edges of the window. */
const EDGE = 8;

type Position = 'top' | 'top-start' | 'right';
type Target = DOMAttributes<HTMLElement> & { 'aria-describedby'?: string | undefined };

type TooltipProps = {
  label: ReactNode;
  position?: Position;
  disabled?: boolean;
  /** One element that passes event handlers to the DOM. */
  children: ReactElement<Target>;
};

/**
 * A tooltip on hover and on keyboard focus; Escape hides it. Not Mantine's: every page has dozens, and with its
 * positioning library that is 26 times as large.
 */
export function Tooltip({ label, position = 'top', disabled = false, children }: TooltipProps): ReactNode {
  const id = useId();
  const [request, setWanted] = useState<{ beside: HTMLElement; wait: number } | null>(null);
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const { props } = children;

  useEffect(() => {
    if (request === null || disabled) return undefined;
    const timer = setTimeout(() => setTarget(request.beside), request.wait);
    const dismiss = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setWanted(null);
    };
    document.addEventListener('keydown', dismiss);
    return () => {
      clearTimeout(timer);
      setTarget(null);
      document.removeEventListener('keydown', dismiss);
    };
  }, [request, disabled]);

  return (
    <>
      {cloneElement(children, {
        onPointerEnter(event: PointerEvent<HTMLElement>) {
          props.onPointerEnter?.(event);
          setWanted({ beside: event.currentTarget, wait: OPEN_MS });
        },
        onPointerLeave(event: PointerEvent<HTMLElement>) {
          props.onPointerLeave?.(event);
          setWanted(null);
        },
        onFocus(event: FocusEvent<HTMLElement>) {
          props.onFocus?.(event);
          if (event.target.matches(':focus-visible')) setWanted({ beside: event.currentTarget, wait: 0 });
        },
        onBlur(event: FocusEvent<HTMLElement>) {
          props.onBlur?.(event);
          setWanted(null);
        },
        ...(target && { 'aria-describedby': id }),
      })}
      {target && (
        <Note id={id} target={target} position={position}>
          {label}
        </Note>
      )}
    </>
  );
}

type NoteProps = { id: string; target: HTMLElement; position: Position; children: ReactNode };

function Note({ id, target, position, children }: NoteProps): ReactNode {
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const popup = note.current;
    if (!popup) return undefined;
    const place = (): void => {
      const [left, top] = placeBeside(target.getBoundingClientRect(), popup, position);
      popup.style.left = `${within(left, popup.offsetWidth, window.innerWidth)}px`;
      popup.style.top = `${within(top, popup.offsetHeight, window.innerHeight)}px`;
    };
    popup.showPopover();
    place();
    window.addEventListener('scroll', place, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', place, { capture: true });
  }, [target, position]);
  return createPortal(
    <div ref={note} id={id} role="tooltip" className={styles.note} popover="manual">
      {children}
    </div>,
    document.body,
  );
}

/** Returns the position of the tooltip, on the opposite side if it does not fit. */
function placeBeside(beside: DOMRect, note: HTMLElement, position: Position): [left: number, top: number] {
  const { offsetWidth: width, offsetHeight: height } = note;
  if (position === 'right') {
    const fits = beside.right + GAP + width <= window.innerWidth - EDGE;
    const left = fits ? beside.right + GAP : beside.left - GAP - width;
    return [left, beside.top + (beside.height - height) / 2];
  }
  const above = beside.top - GAP - height;
  const left = position === 'top' ? beside.left + (beside.width - width) / 2 : beside.left;
  return [left, above >= EDGE ? above : beside.bottom + GAP];
}

const within = (start: number, size: number, available: number): number =>
  Math.max(EDGE, Math.min(start, available - EDGE - size));
