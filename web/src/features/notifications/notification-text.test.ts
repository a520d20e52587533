import type { Notification } from '@forecourt/contract/notifications';
import { expect, test } from 'vitest';
import { notificationLink, notificationText } from './notification-text.ts';

const one = (changes: Partial<Notification>): Notification => ({
  _id: '1',
  kind: 'shared',
  at: '2026-11-20T04:00:00.000Z',
  isRead: false,
  byName: 'Kim Novak',
  count: 1,
  recordId: '2',
  commentId: null,
  name: 'Ann Example',
  month: '2026-11',
  ...changes,
});

test.each([
  [{}, 'Kim Novak shared Ann Example with you'],
  [{ kind: 'transferred', count: 2 }, 'Kim Novak transferred Ann Example and another row to you'],
  [{ kind: 'transferred', count: 40, name: '' }, 'Kim Novak transferred a row and 39 others to you'],
  [{ kind: 'comment' }, 'Kim Novak commented on Ann Example'],
  [{ kind: 'commentMention', name: '' }, 'Kim Novak mentioned you in a comment on a row'],
  [{ kind: 'followUp', byName: null }, 'Follow-up due: Ann Example'],
  [{ kind: 'emailFailed', byName: null, name: '' }, 'Failed to send an email'],
  [
    { kind: 'emailUnconfirmed', byName: null, name: 'Hello' },
    'No mail server confirmed Hello. It may have arrived.',
  ],
  [{ kind: 'exportReady', byName: null }, 'Your export is ready'],
  [{ kind: 'statement', name: '' }, 'Your commission statement of November 2026 is ready'],
  [{ kind: 'statementQuery', name: '' }, 'Kim Novak has a question about the statement of November 2026'],
  [
    { kind: 'statementAnswer', name: '', byName: null },
    'Somebody answered your question about the statement of November 2026',
  ],
  [{ kind: 'statementQuery', name: '', month: null }, 'Kim Novak has a question about a statement'],
  [{ kind: 'mailHeld', byName: null, name: 'Hello' }, 'An email is on hold until you release it'],
  [{ kind: 'mailHeld', byName: null, name: '', count: 3 }, '3 emails are on hold until you release them'],
  [{ kind: 'restoreTestFailed', byName: null, name: '' }, 'The last restore test failed.'],
  [{ kind: 'backupOverdue', byName: null, name: '' }, 'There has been no good backup for more than 3 hours.'],
  [
    { kind: 'diskLow', byName: null, name: '' },
    'Less than 10% of the server’s disk is left. Delete old backups or add space.',
  ],
  [
    { kind: 'diskAlmostFull', byName: null, name: '' },
    'Less than 1 GB of the server’s disk is left. Delete old backups or add space, before nothing can be saved.',
  ],
] satisfies [Partial<Notification>, string][])('%j', (changes, text) => {
  expect(notificationText(one(changes))).toBe(text);
});

test('each notification links to its subject', () => {
  for (const kind of ['shared', 'transferred', 'followUp'] as const)
    expect(notificationLink(one({ kind }))).toEqual({ to: '/data-entry/2', search: {} });
  for (const kind of ['comment', 'commentMention'] as const) {
    expect(notificationLink(one({ kind, commentId: '3' }))).toEqual({
      to: '/data-entry/2',
      search: { comment: '3' },
    });
    // It was deleted.
    expect(notificationLink(one({ kind }))).toEqual({ to: '/data-entry/2', search: {} });
  }
  expect(notificationLink(one({ kind: 'emailFailed' }))).toEqual({
    to: '/email-templates/history/2',
    search: {},
  });
  expect(notificationLink(one({ kind: 'emailUnconfirmed', count: 2 }))?.search).toEqual({
    status: 'unconfirmed',
  });
  expect(notificationLink(one({ kind: 'mailHeld' }))).toEqual({
    to: '/email-templates/history',
    search: {},
  });
  for (const kind of ['statement', 'statementQuery', 'statementAnswer'] as const)
    expect(notificationLink(one({ kind }))).toEqual({ to: '/statements/2', search: {} });
  for (const kind of ['diskLow', 'diskAlmostFull', 'backupFailed', 'backupOverdue'] as const)
    expect(notificationLink(one({ kind }))).toEqual({ to: '/settings/backups', search: {} });
});
