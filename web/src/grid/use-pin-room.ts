import { useLayoutEffect, useState, type RefObject } from 'react';

/** Px that scrolling columns are always left with: pinned ones that took all would hide the others for good. */
export const LEAST_SCROLLING = 160;

/**
 * How many px pinned columns may take of the grid's width: Infinity where all of them fit, so that a window that is
 * dragged wider renders nothing.
 *
 * @param wanted px of all that somebody has pinned
 */
export function usePinRoom(scroller: RefObject<HTMLElement | null>, wanted: number): number {
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const most = element.clientWidth - LEAST_SCROLLING;
      setRoom(wanted > most ? most : Infinity);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, wanted]);
  return room;
}
