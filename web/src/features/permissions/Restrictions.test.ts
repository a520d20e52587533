import { expect, test } from 'vitest';
import { ApiError, errorWithoutResponse } from '../../platform/api-error.ts';
import { hiddenRowName } from './Restrictions.tsx';

test('a hidden row counts as deleted only if the server does not find it', () => {
  expect(hiddenRowName(undefined, new ApiError(404, 'Resource not found', 'NOT_FOUND'))).toBe(
    'No longer there',
  );
  expect(hiddenRowName(undefined, null)).toBe('…');
  expect(hiddenRowName(undefined, errorWithoutResponse(true))).toBe('…');
  expect(hiddenRowName(undefined, new ApiError(503, 'Away', 'UNAVAILABLE'))).toBe('…');
});
