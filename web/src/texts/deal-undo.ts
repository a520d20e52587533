import { formatMonth, formatPlural } from '../platform/formats.ts';

export const texts = {
  undo: 'Undo',
  redo: 'Redo',
  moved: (count: number, month: string) =>
    count === 1
      ? `The row is in ${formatMonth(month)} now`
      : `${count} rows are in ${formatMonth(month)} now`,
  nothingToUndo: 'Nothing to undo',
  nothingToRedo: 'Nothing to redo',
  inProgress: 'Still working. Please keep this page open.',
  busy: 'Still undoing the last step',
  elsewhere: 'That was done in another month, search or part of a large month. Go back there to undo it.',
  undone: (cells: number) => `Undone: ${formatPlural(cells, 'cell')}`,
  redone: (cells: number) => `Redone: ${formatPlural(cells, 'cell')}`,
  gone: 'There is nothing left to change for that step',
  rowsUndone: (rows: number) => `Undone: ${formatPlural(rows, 'row')}`,
  rowsRedone: (rows: number) => `Redone: ${formatPlural(rows, 'row')}`,
  leftAlone: (rows: number) =>
    `${formatPlural(rows, 'row')} left as they are: somebody else has changed or removed them since`,
  notAllowed: (rows: number) =>
    `${formatPlural(rows, 'row')} left alone: you do not have edit rights there any more. Please contact the owner.`,
  notOffered: (cells: number) =>
    `${formatPlural(cells, 'cell')} not changed: the previous value is inactive and cannot be chosen again`,
  notUndone: (reason: string) => `That could not be done: ${reason}`,
  stays: (rows: number, reason: string) =>
    `${formatPlural(rows, 'new row')} could not be taken back: ${reason}`,
  onItsWay: 'the connection broke while it was being saved. Try again when it is back.',
  changedSince: 'somebody else has changed it since. Delete it if it is not wanted.',
  mayNotDelete: 'it is saved already, and you do not have permission to delete rows.',
} as const;
