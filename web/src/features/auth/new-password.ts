import { MIN_PASSWORD_LENGTH } from '@forecourt/contract/auth-limits';
import { countCharacters } from '@forecourt/contract/characters';
import { texts } from '../../texts/auth.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/**
 * Returns the errors of a new password that the browser can find: its length (docs/product/people-and-permissions.md,
 * Passwords) and a different repetition. The server also refuses common ones and those similar to the user's name.
 */
export function newPasswordErrors(field: string, password: string, repeated: string): FieldErrors {
  if (countCharacters(password) < MIN_PASSWORD_LENGTH) return { [field]: texts.tooShort };
  return password === repeated ? {} : { repeated: texts.notTheSame };
}
