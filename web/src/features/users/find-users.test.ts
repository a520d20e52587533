import { NewUser, UserChanges, type User } from '@forecourt/contract/users';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { describe, expect, test } from 'vitest';
import { matchingUsers, noFilter, statusOf } from './find-users.ts';

const user = (changes: Partial<User> = {}): User => ({
  _id: '1',
  userId: '1',
  name: 'Kim Lee',
  email: 'kim@example.com',
  role: 'user',
  isActive: true,
  forcePasswordChange: false,
  lastLogin: null,
  sessions: 0,
  twoStep: { on: false, required: false },
  invitedUntil: null,
  version: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...changes,
});

describe('the status of a user', () => {
  const invitedUntil = '2026-11-27T00:00:00.000Z';
  test.each([
    ['active', {}],
    ['mustChange', { forcePasswordChange: true }],
    ['invited', { invitedUntil }],
    ['inactive', { isActive: false, invitedUntil, forcePasswordChange: true }],
  ] as const)('users are found and marked: %s', (status, changes) => {
    expect(statusOf(user(changes))).toBe(status);
  });
});

describe('matchingUsers', () => {
  const kim = user();
  const ada = user({ _id: '2', name: 'Ada Admin', email: 'boss@example.com', role: 'admin' });
  const lee = user({ _id: '3', name: 'Lee Left', email: 'lee@example.com', isActive: false });
  const everybody = [kim, ada, lee];

  test.each([
    ['everybody without a filter', {}, everybody],
    ['by part of the name, in whatever case', { search: ' LEE ' }, [kim, lee]],
    ['by part of the address', { search: 'boss@' }, [ada]],
    ['by role', { role: 'admin' }, [ada]],
    ['by status', { status: 'inactive' }, [lee]],
    ['by all of it together', { search: 'lee', role: 'user', status: 'active' }, [kim]],
  ] as const)('users are found and marked: %s', (_how, filter, found) => {
    expect(matchingUsers(everybody, { ...noFilter, ...filter })).toEqual(found);
  });
});

test('the user form requires a name and a valid email address', () => {
  const errorsOf = (given: object) =>
    [NewUser, UserChanges].map((schema) => errorsByField(validate(schema, given).issues ?? []));
  const errors = { name: 'Name is required', email: 'Must be an email address' };
  expect(errorsOf({ name: ' ', email: 'kim@' })).toEqual([errors, errors]);
  expect(errorsOf({ name: 'Kim', email: ' kim@example.com ' })).toEqual([{}, {}]);
});
