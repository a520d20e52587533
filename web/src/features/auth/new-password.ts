import { MIN_PASSWORD_LENGTH } from '@forecourt/contract/auth-limits';
import { countCharacters } from '@forecourt/contract/characters';
import { texts } from '../../texts/auth.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/**
 * What the browser can tell about a new password: its length (docs/product/people-and-permissions.md, Passwords) and
 * that it was typed twice alike. The server refuses common ones and those like the person.
 */
export function newPasswordErrors(field: string, password: string, repeated: string): FieldErrors {
  if (countCharacters(password) < MIN_PASSWORD_LENGTH) return { [field]: texts.tooShort };
  return password === repeated ? {} : { repeated: texts.notTheSame };
}
