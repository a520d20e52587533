import { formatPlural } from '../platform/formats.ts';

export const texts = {
  open: 'Comments',
  title: 'Comments',
  titleOf: (customer: string) => `Comments on ${customer}`,
  close: 'Close comments',
  list: 'Comments of this row',
  empty: 'No comments yet',
  emptyNote: 'Write @ and a name to notify somebody.',
  loadFailed: 'The comments could not be loaded',
  marked: (comments: number, unread: number) =>
    unread > 0 ? formatPlural(unread, 'unread comment') : formatPlural(comments, 'comment'),

  newComment: 'New comment',
  placeholder: 'Write a comment, @ mentions somebody',
  send: 'Comment',
  sendKeys: 'Ctrl+Enter sends',
  saveKeys: 'Ctrl+Enter saves',
  sendFailed: 'The comment could not be saved',
  deletedMeanwhile: 'This comment was deleted meanwhile. Copy your text into a new comment.',
  rowGone: 'This row was deleted, or you can no longer see it. Your text stays here until it is sent.',
  viewOnly: 'You are looking at this as somebody else. Nothing can be changed.',
  people: 'People to mention',
  writeFirst: 'Write a comment first',
  edited: 'changed',
  edit: 'Change',
  editTitle: 'Change comment',
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  deleteTitle: 'Delete comment',
  deleteQuestion: 'Delete this comment? This action cannot be undone.',
  deleteFailed: 'The comment could not be deleted',
  ofAuthor: (action: string, author: string) => `${action} comment of ${author}`,

  cannotSee: (names: string, count: number) =>
    `${names} cannot see this row and ${count === 1 ? 'was' : 'were'} not notified. An administrator can change that in Permissions.`,
  closeNote: 'Close',
} as const;
