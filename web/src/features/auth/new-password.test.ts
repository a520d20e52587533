import { authRoutes } from '@forecourt/contract/auth';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { newPasswordErrors } from './new-password.ts';

const LIGATURE = '\uFB03';

test.each([
  ['a'.repeat(11), 'Must be at least 12 characters'],
  ['a'.repeat(12), undefined],
  // Normalised to `ffi`, three characters.
  [LIGATURE.repeat(3), 'Must be at least 12 characters'],
  [LIGATURE.repeat(4), undefined],
  ['\u{1F600}'.repeat(11), 'Must be at least 12 characters'],
])('%j has the error %j in the browser and on the server', (password, error) => {
  expect(newPasswordErrors('newPassword', password, password)['newPassword']).toBe(error);
  const body = { key: 'k', newPassword: password };
  const { issues = [] } = validate(authRoutes['POST /auth/reset-password'].body, body);
  expect(errorsByField(issues)['newPassword']).toBe(error);
});

test('a different repetition is an error of its own field, once the length is accepted', () => {
  expect(newPasswordErrors('password', 'a'.repeat(12), 'b')).toEqual({
    repeated: 'The two passwords are not the same',
  });
  expect(newPasswordErrors('password', 'short', 'b')).not.toHaveProperty('repeated');
});
