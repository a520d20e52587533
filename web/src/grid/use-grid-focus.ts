import { useState, type FocusEvent } from 'react';

/** Tracks whether the focus is in the grid: the note of a removed row must not cover the rest of the page. */
export function useGridFocus() {
  const [isInside, setInside] = useState(false);
  return {
    isInside,
    enter: (): void => setInside(true),
    leave({ currentTarget, relatedTarget, target }: FocusEvent): void {
      const stays = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      // Switching to another window does not change the page's active element.
      if (!stays && document.activeElement !== target) setInside(false);
    },
  };
}
