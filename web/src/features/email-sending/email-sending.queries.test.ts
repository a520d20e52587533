import { expect, test } from 'vitest';
import { errorFromResponse, errorWithoutResponse } from '../../platform/api-error.ts';
import { sendFailure } from './email-sending.queries.ts';

test.each([
  [400, { message: 'Failed to send email', details: 'Nobody is in To.' }, 'Nobody is in To.'],
  [
    429,
    { message: 'You have sent 500 emails in the last hour.' },
    'You have sent 500 emails in the last hour.',
  ],
  [502, null, 'Error: 502'],
  [
    403,
    { message: 'Access denied', code: 'INSUFFICIENT_PERMISSIONS', details: 'COLUMN_HIDDEN' },
    'Access denied. Your permissions have changed. Nothing was changed; what you typed is kept. Ask an administrator.',
  ],
])('a send that fails with %i %j is explained', (status, body, text) => {
  expect(sendFailure(errorFromResponse(status, body))).toBe(text);
});

test('a send without a response has the reason of the line', () => {
  expect(sendFailure(errorWithoutResponse(true))).toBe('Request timeout. Please try again.');
});
