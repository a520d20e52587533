import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

/** Rows per chunk. Each chunk is a <tbody>, and only chunks near the viewport contain rows. */
export const CHUNK_SIZE = 10;
/** All rows of a shorter table are mounted. */
export const WHOLE_SIZE = 10 * CHUNK_SIZE;

/** Px above and below the window in which rows are mounted. */
const MARGIN = 600;
/** Height of a row in px before it is measured. */
const ROW_HEIGHT = 41;

/** Tracks the chunks of a long table that are near the viewport, or have the keyboard focus. */
export function useNearChunks(table: RefObject<HTMLTableElement | null>, rowCount: number) {
  const [{ first, last, focused }, setRange] = useState({ first: 0, last: 1, focused: -1 });
  const heights = useRef(new Map<number, number>());
  const isLong = rowCount > WHOLE_SIZE;

  const updateRange = useEffectEvent(() => {
    const near: number[] = [];
    let focusedNow = -1;
    for (const [chunk, body] of [...(table.current?.tBodies ?? [])].entries()) {
      const { top, bottom, height } = body.getBoundingClientRect();
      if (body.dataset['rows'] !== undefined) heights.current.set(chunk, height);
      if (body.contains(document.activeElement)) focusedNow = chunk;
      if (bottom > -MARGIN && top < window.innerHeight + MARGIN) near.push(chunk);
    }
    const range = { first: near[0] ?? 0, last: near.at(-1) ?? 0, focused: focusedNow };
    if (range.first !== first || range.last !== last || focusedNow !== focused) setRange(range);
  });

  useEffect(() => {
    if (!isLong) return undefined;
    const listen = () => updateRange();
    const sizes = new ResizeObserver(listen);
    if (table.current) sizes.observe(table.current);
    // Captured on the window, because scroll events of a container around the table do not bubble.
    window.addEventListener('scroll', listen, { capture: true, passive: true });
    window.addEventListener('resize', listen);
    return () => {
      sizes.disconnect();
      window.removeEventListener('scroll', listen, { capture: true });
      window.removeEventListener('resize', listen);
    };
  }, [table, isLong]);

  return {
    isNear: (chunk: number): boolean => (chunk >= first && chunk <= last) || chunk === focused,
    /** Returns the height in px of an unmounted chunk. */
    heightOf: (chunk: number, rows: number): number => heights.current.get(chunk) ?? rows * ROW_HEIGHT,
  };
}
