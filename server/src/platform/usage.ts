import type { Viewer } from './http/context.ts';

/**
 * Returns what prevents a deletion, such as `2 deals`. Only administrators get the number, because records that a
 * viewer cannot see must not be counted for them (docs/product/api.md, Invisible is absent).
 */
export const formatUsage = ({ role }: Viewer, count: number, noun: string): string =>
  role === 'admin' ? `${count} ${noun}${count === 1 ? '' : 's'}` : `${noun}s`;
