/** Texts of the changelog. Its entries are those of CHANGELOG.md. */
export const texts = {
  title: 'Changelog',
  note: 'What is new, newest first.',
  menuNew: 'Something new',
} as const;
