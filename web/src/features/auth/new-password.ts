import { texts } from '../../texts/auth.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/**
 * What the browser can tell about a new password: its length (product section 7) and that it was typed twice
 * alike. The server refuses common ones and those like the person.
 */
export function newPasswordErrors(field: string, password: string, repeated: string): FieldErrors {
  if (password.length < 12) return { [field]: texts.tooShort };
  return password === repeated ? {} : { repeated: texts.notTheSame };
}
