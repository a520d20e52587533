import { useState, type FocusEvent } from 'react';

/** Whether the focus is in the grid: what is said of no cell must not stand over the rest of the page. */
export function useGridFocus() {
  const [isInside, setInside] = useState(false);
  return {
    isInside,
    enter: (): void => setInside(true),
    leave({ currentTarget, relatedTarget, target }: FocusEvent): void {
      const stays = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      // Switching to another window leaves the page's active element what it is.
      if (!stays && document.activeElement !== target) setInside(false);
    },
  };
}
