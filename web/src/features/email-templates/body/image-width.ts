import { IMAGE_WIDTH } from '@forecourt/contract/image-limits';

export const shownWidth = (width: number): number =>
  Math.min(IMAGE_WIDTH.max, Math.max(IMAGE_WIDTH.min, Math.round(width)));
