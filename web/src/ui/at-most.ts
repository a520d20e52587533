import { isAtMost } from '@forecourt/contract/characters';
import { texts } from '../texts/limits.ts';
import type { FieldErrors } from './use-form.ts';

/**
 * A `validate` for `useForm`: how many characters text fields may have, where the server cannot refuse them at their
 * field. No field has a `maxLength`: a browser counts UTF-16 units, two for an emoji, and cuts what is pasted without a
 * word.
 */
export const atMost =
  <V>(limits: { readonly [K in keyof V]?: number }) =>
  (values: V): FieldErrors =>
    Object.fromEntries(
      (Object.entries(limits) as [keyof V & string, number][])
        .filter(([name, max]) => !isAtMost(String(values[name]).trim(), max))
        .map(([name, max]) => [name, texts.atMost(max)]),
    );
