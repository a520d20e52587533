/** As wide as a message is at most, and as narrow as an image can be, in pixels (contract `Image`). */
export const WIDTH = { min: 16, max: 568 };

export const shownWidth = (width: number): number =>
  Math.min(WIDTH.max, Math.max(WIDTH.min, Math.round(width)));
