import type { FieldErrors } from './use-form.ts';

/** A `validate` for `useForm`: which text fields may not be empty, each with its message. */
export const required =
  <V>(messages: { readonly [K in keyof V]?: string }) =>
  (values: V): FieldErrors =>
    Object.fromEntries(
      (Object.entries(messages) as [keyof V & string, string][]).filter(
        ([name]) => String(values[name] ?? '').trim() === '',
      ),
    );
