import { formatPlural } from '../platform/formats.ts';

const rows = (count: number): string => formatPlural(count, 'row', 'rows');

export const texts = {
  open: 'Take back…',
  openOne: 'Take back this change',
  mayNot: {
    SET_TOO_OLD: 'Changes can be taken back for 90 days.',
    NO_BULK_EDIT:
      'Taking back an action or an import of several rows needs the right to bulk edit. Take it back in the history of each row.',
  } as Readonly<Record<string, string>>,
  title: 'Take back changes',
  note: 'Check what goes back. Values changed since then stay, unless you tick them. You can take this back, too.',
  previewFailed: 'Failed to load the preview. Please try again.',
  nothing: 'Nothing to take back',
  nothingNote:
    'All rows that you can see are as they were before this change. Rows that you no longer see, or that were removed for good, cannot be taken back here.',
  all: (count: number) => `All ${rows(count)}`,
  rows: 'Rows to take back',
  row: 'Row',
  what: 'What goes back',
  unnamed: 'Row',
  include: (name: string) => `Take back ${name}`,
  effects: { deleted: 'Will be deleted. It was added by this change.', restored: 'Will be restored.' },
  refused: 'Not possible',
  stays: 'Stays',
  changedBy: (by: string | null, at: string | null) =>
    by === null ? 'changed since' : `changed by ${by}${at === null ? '' : `, ${at}`}`,
  addedRowStays: 'This row was added by the change and has been changed since.',
  deleteAnyway: 'Delete the row with these changes',
  overwrite: (name: string, value: string) => `Set ${name} back to “${value}”`,
  emailed: (at: string) => `Emailed since, last on ${at}. Emails cannot be recalled.`,
  cancel: 'Cancel',
  close: 'Close',
  submit: (count: number) => (count === 0 ? 'Take back' : `Take back ${rows(count)}`),
  done: (count: number, left: number, refused: number) =>
    [
      `Took back ${rows(count)}.`,
      ...(left > 0 ? [`${formatPlural(left, 'later change stays', 'later changes stay')}.`] : []),
      ...(refused > 0 ? [`${formatPlural(refused, 'row was', 'rows were')} refused.`] : []),
    ].join(' '),
  nothingDone: 'These rows were already as they were. Nothing was changed.',
  show: 'Show',
  failed: 'Failed to take back the changes. Please try again.',
};
