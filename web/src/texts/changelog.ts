import { formatCount } from '../platform/formats.ts';

/** Texts of the changelog. Its entries are those of CHANGELOG.md. */
export const texts = {
  title: 'Changelog',
  note: 'Changes by release, newest first, and by the people they concern.',
  repairs: (count: number) => `Repairs (${formatCount(count)})`,
  menuNew: 'Something new',
} as const;
