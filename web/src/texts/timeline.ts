export const texts = {
  title: 'Timeline',
  failed: 'The timeline could not be loaded',
  show: 'Show',
  kinds: { all: 'All', changes: 'Changes', emails: 'Emails' },
  nothing: { all: 'Nothing has happened yet', changes: 'No changes yet', emails: 'No emails yet' },
  nothingNote: 'What happens appears here at once.',
  /** Screen readers read it between the old and new value. */
  becomes: ' becomes ',
  empty: 'empty',
  reason: (reason: string) => `Reason: ${reason}`,
  emailed: 'emailed',
  recipients: (to: readonly string[], cc: readonly string[]) =>
    cc.length === 0 ? `To ${to.join(', ')}` : `To ${to.join(', ')}, copy to ${cc.join(', ')}`,
} as const;
