import { formatPlural } from '../platform/formats.ts';

const rows = (count: number): string => formatPlural(count, 'row', 'rows');

export const texts = {
  open: 'Merge rows…',
  openDuplicates: 'Merge…',
  openCandidates: 'Merge these rows…',
  changesFirst: 'A row has changes that are not saved yet. Merge the rows when they are.',
  tooFew: 'You need permission to change at least two of these rows.',
  title: 'Merge rows',
  note: 'One row stays. It gets the comments, files, emails, history and shares of the others, which are deleted. You can take this back.',
  previewFailed: 'Failed to load the rows. Please try again.',
  survivor: 'Row that stays',
  others: 'Rows that are merged into it',
  choices: 'Values that differ',
  empty: 'empty',
  joinItems: (items: string) => `All items: ${items}`,
  after: 'The row afterwards',
  moves: (comments: number, files: number, emails: number) => {
    const counts = { comment: comments, file: files, email: emails };
    const moved = Object.entries(counts).filter(([, count]) => count > 0);
    return moved.length === 0
      ? ''
      : `Moves to the row: ${moved.map(([word, count]) => formatPlural(count, word)).join(', ')}`;
  },
  losesAccess:
    'People who see the other rows do not get a share of this one, because only its owner or an administrator may share it.',
  cancel: 'Cancel',
  submit: (count: number) => `Merge ${rows(count)}`,
  done: (count: number) => `Merged ${rows(count)}`,
  undone: (count: number) => `Separated: ${rows(count)}`,
  failed: 'Failed to merge the rows. Please try again.',
  ledHere: 'That row was merged into this one',
};
