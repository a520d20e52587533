import { shortPasswordError } from '@forecourt/contract/new-password';
import { texts } from '../../texts/auth.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/**
 * Returns the errors of a new password that the browser can find: too short, and a different repetition. The server also
 * refuses common ones and those similar to the user's name (docs/product/people-and-permissions.md, Passwords).
 */
export function newPasswordErrors(field: string, password: string, repeated: string): FieldErrors {
  const error = shortPasswordError(password);
  if (error !== undefined) return { [field]: error };
  return password === repeated ? {} : { repeated: texts.notTheSame };
}
