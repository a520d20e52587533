import { useLayoutEffect, useState, type RefObject } from 'react';

/** Minimum px for scrolling columns: with pinned columns only, the others could never be reached. */
export const MIN_SCROLLING_WIDTH = 160;

/**
 * Returns the px available for pinned columns: Infinity where all of them fit, so that resizing the window renders
 * nothing.
 *
 * @param wanted px of all pinned columns
 */
export function usePinWidth(scroller: RefObject<HTMLElement | null>, wanted: number): number {
  const [available, setAvailable] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const most = element.clientWidth - MIN_SCROLLING_WIDTH;
      setAvailable(wanted > most ? most : Infinity);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, wanted]);
  return available;
}
