import { isAtMost } from '@forecourt/contract/characters';
import { tooLongMessage } from '@forecourt/contract/too-long';
import type { FieldErrors } from './use-form.ts';

/**
 * Returns a `validate` for `useForm` that limits text fields, for forms whose server errors name no field. No input has
 * a `maxLength`: browsers count UTF-16 units, two for an emoji, and truncate pasted text without a message.
 */
export const atMost =
  <V>(limits: { readonly [K in keyof V]?: number }) =>
  (values: V): FieldErrors =>
    Object.fromEntries(
      (Object.entries(limits) as [keyof V & string, number][])
        .filter(([name, max]) => !isAtMost(String(values[name]).trim(), max))
        .map(([name, max]) => [name, tooLongMessage(max)]),
    );
