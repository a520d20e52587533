import type { FieldErrors } from './use-form.ts';

/** Returns a `validate` for `useForm` that requires text fields, each with its message. */
export const required =
  <V>(messages: { readonly [K in keyof V]?: string }) =>
  (values: V): FieldErrors =>
    Object.fromEntries(
      (Object.entries(messages) as [keyof V & string, string][]).filter(
        ([name]) => String(values[name] ?? '').trim() === '',
      ),
    );
