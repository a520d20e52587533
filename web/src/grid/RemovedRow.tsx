import type { ReactElement } from 'react';

/** The note shown instead of the active cell's. */
export const ROW_REMOVED =
  'The row you were in is not here any more. Press an arrow key or click a cell to go on.';

/** A line at the former place of the removed active row; the note is shown below it, at the left edge of the viewport. */
export function RemovedRow({ id, top }: { readonly id: string; readonly top: number }): ReactElement {
  return (
    <div className="grid-lost" style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span id={id} />
    </div>
  );
}
