import type { Viewer } from './http/context.ts';

/**
 * Returns what prevents the deletion of a record, such as `2 deals`. The number is for administrators only: records
 * that a viewer cannot see are not counted for them (docs/product/api.md, Invisible is absent).
 */
export const formatUsage = ({ role }: Viewer, count: number, noun: string): string =>
  role === 'admin' ? `${count} ${noun}${count === 1 ? '' : 's'}` : `${noun}s`;
