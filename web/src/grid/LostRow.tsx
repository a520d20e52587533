import type { ReactElement } from 'react';

/** What is said there, in the place of a cell's own words. */
export const ROW_GONE =
  'The row you were in is not here any more. Press an arrow key or click a cell to go on.';

/** A line where the active row stood that is gone; the note stands below it, at the left edge of what is in sight. */
export function LostRow({ id, top }: { readonly id: string; readonly top: number }): ReactElement {
  return (
    <div className="grid-lost" style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span id={id} />
    </div>
  );
}
