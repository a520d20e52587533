import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { columnRange, rowRange, type Range } from './window.ts';

export interface Dimensions {
  readonly rowHeight: number;
  readonly rowCount: number;
  /** Px that the header covers in height, and pinned columns in width. */
  readonly headerHeight: number;
  readonly pinnedWidth: number;
  readonly centerStarts: readonly number[];
}

export interface Mounted {
  readonly rows: Range;
  readonly columns: Range;
}

/** The visible part of the grid: scroll position and size. */
export interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the rows and columns to mount for the current scroll position. Renders only if they change. */
export function useViewport(scroller: RefObject<HTMLElement | null>, dimensions: Dimensions): Mounted {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, width: 1200, height: 800 });
  const latest = useRef({ viewport, dimensions });
  useLayoutEffect(() => {
    latest.current = { viewport, dimensions };
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () => {
      const next = viewportOf(element);
      const { viewport: shown, dimensions: now } = latest.current;
      if (!sameRanges(mounted(next, now), mounted(shown, now))) setViewport(next);
    };
    // Rendered synchronously, before the frame is painted: with React's scheduling, fast scrolling showed blanks.
    const onScroll = () => flushSync(update);
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller]);

  return mounted(viewport, dimensions);
}

export function viewportOf(element: HTMLElement): Viewport {
  return {
    top: element.scrollTop,
    left: element.scrollLeft,
    width: element.clientWidth,
    height: element.clientHeight,
  };
}

function mounted({ top, left, width, height }: Viewport, dimensions: Dimensions): Mounted {
  const { rowHeight, rowCount, headerHeight, pinnedWidth, centerStarts } = dimensions;
  return {
    rows: rowRange(top, height - headerHeight, rowHeight, rowCount),
    columns: columnRange(left, width - pinnedWidth, centerStarts),
  };
}

const sameRange = (a: Range, b: Range): boolean => a.from === b.from && a.to === b.to;
const sameRanges = (a: Mounted, b: Mounted): boolean =>
  sameRange(a.rows, b.rows) && sameRange(a.columns, b.columns);
