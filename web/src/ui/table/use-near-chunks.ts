import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

/** Rows of a chunk: each is a <tbody> of its own, and only those near what is in sight hold rows. */
export const CHUNK_SIZE = 10;
/** Up to here every row is there, as in any table. */
export const WHOLE_SIZE = 10 * CHUNK_SIZE;

/** Px above and below the window in which rows are there already. */
const MARGIN = 600;
/** Px that a row is taken to be high until it has been on the screen. */
const ROW_HEIGHT = 41;

export type NearChunks = {
  readonly isNear: (chunk: number) => boolean;
  /** Px that the rows of a chunk take that is not there. */
  readonly heightOf: (chunk: number, rows: number) => number;
};

/** Which chunks of a long table are near what is in sight. */
export function useNearChunks(table: RefObject<HTMLTableElement | null>, rowCount: number): NearChunks {
  const [{ first, last }, setRange] = useState({ first: 0, last: 1 });
  const heights = useRef(new Map<number, number>());
  const isLong = rowCount > WHOLE_SIZE;

  const look = useEffectEvent(() => {
    const near: number[] = [];
    for (const [chunk, body] of [...(table.current?.tBodies ?? [])].entries()) {
      const { top, bottom, height } = body.getBoundingClientRect();
      if (body.dataset['rows'] !== undefined) heights.current.set(chunk, height);
      if (bottom > -MARGIN && top < window.innerHeight + MARGIN) near.push(chunk);
    }
    const range = { first: near[0] ?? 0, last: near.at(-1) ?? 0 };
    if (range.first !== first || range.last !== last) setRange(range);
  });

  useEffect(() => {
    if (!isLong) return undefined;
    const listen = () => look();
    const sizes = new ResizeObserver(listen);
    if (table.current) sizes.observe(table.current);
    // Whatever scrolls around the table: scrolling does not bubble, but it can be captured.
    window.addEventListener('scroll', listen, { capture: true, passive: true });
    window.addEventListener('resize', listen);
    return () => {
      sizes.disconnect();
      window.removeEventListener('scroll', listen, { capture: true });
      window.removeEventListener('resize', listen);
    };
  }, [table, isLong]);

  return {
    isNear: (chunk) => chunk >= first && chunk <= last,
    heightOf: (chunk, rows) => heights.current.get(chunk) ?? rows * ROW_HEIGHT,
  };
}
