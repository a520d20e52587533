import type { Viewer } from './http/context.ts';

/**
 * What keeps a record from being deleted, in words: `2 deals`. Without the number for whoever may not see all of
 * them: what is out of their sight is not counted for them (product.md section 3).
 */
export const usesInWords = ({ role }: Viewer, count: number, word: string): string =>
  role === 'admin' ? `${count} ${word}${count === 1 ? '' : 's'}` : `${word}s`;
