import { formatPlural } from '../platform/formats.ts';

export const texts = {
  outdated: 'The rows may be out of date or incomplete. What you type is kept.',
  conflictElsewhere: (name: string, column: string) => `${name} changed ${column}`,
  yours: (mine: string) => (mine === '' ? 'You emptied it' : `You typed “${mine}”`),
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  refused: (column: string, mine: string) =>
    mine === '' ? `${column} was not saved` : `${column} “${mine}” was not saved`,
  tryAgain: 'Try again',
  discard: 'Discard',
  rowElsewhere: 'This row is in another month, search or part of a large month, or it was deleted',
  others: (count: number) =>
    `${formatPlural(count, 'more cell waits', 'more cells wait')} for your decision.`,
  unstored: (count: number) =>
    `This browser's storage is full: ${formatPlural(count, 'entry', 'entries')} of what you typed ${count === 1 ? 'is' : 'are'} in this page only. Do not reload, close or sign out before everything is saved, or free space on this computer.`,
  nearlyFull: (left: string) =>
    `This browser's storage is nearly full: ${left} left. Free space on this computer, so that what you type is kept over a reload.`,
  save: 'Save',
} as const;
