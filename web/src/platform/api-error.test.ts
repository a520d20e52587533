import { describe, expect, test } from 'vitest';
import { errorFromAnswer, errorWithoutAnswer, messageOf, wordsFor } from './api-error.ts';

describe('the words for a failed call', () => {
  test.each([400, 401, 403, 404, 409, 429, 500, 503])('%i prefers what the server said', (status) => {
    expect(errorFromAnswer(status, { message: 'Its own words', details: 'more' }).message).toBe(
      'Its own words',
    );
  });

  test.each([
    [400, { details: 'The port is closed' }, 'The port is closed'],
    [400, {}, 'Invalid request'],
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
  ])('%i with %j falls back to the specification', (status, body, words) => {
    expect(errorFromAnswer(status, body).message).toBe(words);
  });

  test('without an answer it was the time limit or the connection', () => {
    expect(errorWithoutAnswer(true)).toMatchObject({
      status: 0,
      code: 'TIMEOUT',
      message: 'Request timeout. Please try again.',
    });
    expect(errorWithoutAnswer(false)).toMatchObject({
      status: 0,
      code: 'NETWORK',
      message: 'Network error. Please check your connection.',
    });
  });

  test('what the answer carries is kept for forms and for support', () => {
    const error = errorFromAnswer(409, {
      message: 'Somebody else changed this in the meantime',
      code: 'CONFLICT',
      errors: { 'contacts.0.email': 'Must be an email address' },
      current: { version: 3 },
      requestId: 'r-1',
    });
    expect(error).toMatchObject({
      code: 'CONFLICT',
      errors: { 'contacts.0.email': 'Must be an email address' },
      current: { version: 3 },
      requestId: 'r-1',
    });
  });

  test('a store adds what failed where the server said nothing itself', () => {
    const fallback = 'Failed to fetch templates';
    expect(wordsFor(errorFromAnswer(500, { message: 'Its own words' }), fallback)).toEqual({
      message: 'Its own words',
    });
    expect(wordsFor(errorFromAnswer(502, null), fallback)).toEqual({
      message: fallback,
      reason: 'Error: 502',
    });
    expect(messageOf(errorWithoutAnswer(false), fallback)).toBe(
      'Failed to fetch templates. Network error. Please check your connection.',
    );
    expect(messageOf(errorWithoutAnswer(true), 'Failed to save dealership. Please try again.')).toBe(
      'Failed to save dealership. Please try again. Request timeout. Please try again.',
    );
    expect(wordsFor(new TypeError('x is undefined'), fallback)).toEqual({ message: fallback });
    expect(wordsFor(errorWithoutAnswer(true))).toEqual({ message: 'Request timeout. Please try again.' });
  });

  test('a fault of our own never shows its inner words', () => {
    expect(messageOf(new TypeError('x is undefined'))).toBe('Something went wrong. Please try again.');
  });
});
