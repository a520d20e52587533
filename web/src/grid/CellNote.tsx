import { useLayoutEffect, useRef, type ReactElement, type RefObject } from 'react';

export interface CellNoteProps {
  readonly id: string;
  /** Text beside the active cell; null hides the note. */
  readonly text: string | null;
  /** The full text of a cell that is too narrow for it, shown below the note. */
  readonly whole?: string | null;
  readonly anchorId: string | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
}

const GAP = 4;

/**
 * A note beside the active cell: why it is blocked, or what is wrong with its text. It stays mounted, because screen
 * readers announce only live regions that exist before the text. It is shown in the top layer, where the scroller does
 * not clip it.
 */
export function CellNote({ id, text, whole = null, anchorId, scroller }: CellNoteProps): ReactElement {
  const note = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const popup = note.current;
    const anchor = anchorId === undefined ? null : document.getElementById(anchorId);
    if (!popup || !anchor || text === null) return undefined;
    const place = () => {
      const cell = anchor.getBoundingClientRect();
      const below = cell.bottom + GAP + popup.offsetHeight <= window.innerHeight;
      popup.style.left = `${Math.max(0, Math.min(cell.left, window.innerWidth - popup.offsetWidth))}px`;
      popup.style.top = `${below ? cell.bottom + GAP : cell.top - GAP - popup.offsetHeight}px`;
    };
    popup.showPopover();
    place();
    const element = scroller.current;
    element?.addEventListener('scroll', place, { passive: true });
    return () => {
      element?.removeEventListener('scroll', place);
      popup.hidePopover();
    };
  }, [text, anchorId, scroller]);

  return (
    <div ref={note} id={id} role="tooltip" aria-live="polite" className="grid-note" popover="manual">
      {text}
      {text !== null && whole !== null && <p className="grid-note-whole">{whole}</p>}
    </div>
  );
}
