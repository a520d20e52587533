import { describe, expect, test } from 'vitest';
import {
  ApiError,
  canPass,
  changeFailureText,
  errorFromResponse,
  errorWithoutResponse,
  messageOf,
  failureText,
} from './api-error.ts';

describe('the message of a failed call', () => {
  test.each([400, 401, 403, 404, 409, 429, 500, 503])(
    'a failed call with %i prefers the server’s message',
    (status) => {
      expect(errorFromResponse(status, { message: 'Its own words', details: 'more' }).message).toBe(
        'Its own words',
      );
    },
  );

  test.each([
    [400, { details: 'The port is closed' }, 'The port is closed'],
    [400, {}, 'Invalid request'],
    [400, { details: '' }, 'Invalid request'],
    [400, { details: { port: 'closed' } }, 'Invalid request'],
    [401, {}, 'Session expired. Please log in again.'],
    [403, { requiresPasswordChange: true }, 'Password change required'],
    [403, {}, 'Access denied'],
    [404, {}, 'Resource not found'],
    [500, {}, 'Server error. Please try again later.'],
    [409, {}, 'Error: 409'],
    [418, {}, 'Error: 418'],
    [502, null, 'Error: 502'],
    [500, '<html>', 'Server error. Please try again later.'],
    [404, { message: '' }, 'Resource not found'],
    [404, { message: 7 }, 'Resource not found'],
  ])('a failed call with %i and %j falls back to the message of its status', (status, body, message) => {
    expect(errorFromResponse(status, body).message).toBe(message);
  });

  test('the message of a failed call without a response the cause is the time limit or the connection', () => {
    expect(errorWithoutResponse(true)).toMatchObject({
      status: 0,
      code: 'TIMEOUT',
      message: 'Request timeout. Please try again.',
    });
    expect(errorWithoutResponse(false)).toMatchObject({
      status: 0,
      code: 'NETWORK',
      message: 'Network error. Please check your connection.',
    });
  });

  test('the fields of the body are available to forms and support', () => {
    const error = errorFromResponse(409, {
      message: 'Somebody else changed this in the meantime',
      code: 'CONFLICT',
      errors: { 'contacts.0.email': 'Must be an email address' },
      current: { version: 3 },
      conflicts: [{ field: 'name', byName: 'Kim', at: '2026-11-21T03:00:00.000Z' }],
      requestId: 'r-1',
    });
    expect(error).toMatchObject({
      code: 'CONFLICT',
      errors: { 'contacts.0.email': 'Must be an email address' },
      current: { version: 3 },
      conflicts: [{ field: 'name', byName: 'Kim' }],
      requestId: 'r-1',
      requiresPasswordChange: false,
    });
    expect(errorFromResponse(403, { requiresPasswordChange: true })).toMatchObject({
      errors: {},
      conflicts: [],
      requiresPasswordChange: true,
    });
  });

  test('the message of a failed call adds the fallback where the server sent no message', () => {
    const fallback = 'Failed to fetch templates';
    expect(failureText(errorFromResponse(500, { message: 'Its own words' }), fallback)).toEqual({
      message: 'Its own words',
    });
    expect(failureText(errorFromResponse(502, null), fallback)).toEqual({
      message: fallback,
      reason: 'Error: 502',
    });
    expect(messageOf(errorFromResponse(500, { message: 'Its own words' }), fallback)).toBe('Its own words');
    expect(messageOf(errorWithoutResponse(false), fallback)).toBe(
      'Failed to fetch templates. Network error. Please check your connection.',
    );
    expect(messageOf(errorWithoutResponse(true), 'Failed to save dealership. Please try again.')).toBe(
      'Failed to save dealership. Please try again. Request timeout. Please try again.',
    );
    expect(failureText(new TypeError('x is undefined'), fallback)).toEqual({ message: fallback });
    expect(failureText(errorWithoutResponse(true))).toEqual({
      message: 'Request timeout. Please try again.',
    });
  });

  test.each([
    ['NO_OWNER_CHANGE', 'You may no longer transfer rows.'],
    ['SOMETHING_ELSE', 'Your permissions have changed.'],
    [undefined, 'Your permissions have changed.'],
  ])('a refused change explains the reason %s', (details, reason) => {
    const body = { message: 'Access denied', code: 'INSUFFICIENT_PERMISSIONS', details };
    const refused = errorFromResponse(403, body);
    const next = 'Nothing was changed; what you typed is kept. Ask an administrator.';
    expect(changeFailureText(refused, 'Failed to transfer ownership')).toEqual({
      message: 'Access denied',
      reason: `${reason} ${next}`,
    });
    expect(messageOf(refused)).toBe(`Access denied. ${reason} ${next}`);
    expect(failureText(refused)).toEqual({ message: 'Access denied' });
    const own = errorFromResponse(403, { ...body, message: 'Its own words' });
    expect(messageOf(own)).toBe('Its own words');
  });

  test('an internal error shows a general message only', () => {
    expect(messageOf(new TypeError('x is undefined'))).toBe('Something went wrong. Please try again.');
  });
});

test('the same call may succeed later without a response or with a server that is down', () => {
  const statuses = [0, 400, 401, 403, 404, 409, 429, 500, 501, 502, 503, 504, 505];
  const passing = statuses.filter((status) => canPass(new ApiError(status, '', 'UNREADABLE')));
  expect(passing).toEqual([0, 502, 503, 504]);
  expect(canPass(new TypeError('a fault'))).toBe(false);
});
