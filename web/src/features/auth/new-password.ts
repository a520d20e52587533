import { shortPasswordError } from '@forecourt/contract/new-password';
import { texts } from '../../texts/auth.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/**
 * Returns the errors of a new password that the browser can detect: too short, or a different repetition. The server
 * also refuses common passwords and those similar to the user's name (docs/product/people-and-permissions.md,
 * Passwords).
 */
export function newPasswordErrors(field: string, password: string, repeated: string): FieldErrors {
  const error = shortPasswordError(password);
  if (error !== undefined) return { [field]: error };
  return password === repeated ? {} : { repeated: texts.notTheSame };
}
