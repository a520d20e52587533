import { useEffect, useRef, useState, type ChangeEvent, type SubmitEvent } from 'react';
import { ApiError, messageOf } from '../platform/api-error.ts';

/** Error messages by field. Nested fields are joined with dots: `contacts.0.email`. */
export type FieldErrors = Readonly<Record<string, string>>;

export type FormOptions<V> = {
  initial: V;
  validate?: (values: V) => FieldErrors | Promise<FieldErrors>;
  /**
   * Sends the values. A thrown `ApiError` is shown in the form: its `errors` at their fields, or the first one as the
   * message if the form has no such field, otherwise its message. A form that stays open must return the stored values.
   */
  submit: (values: V) => Promise<V | void>;
  /** Shown for a failure without a message of the server. */
  failed?: string;
  /** Called if `validate` returned errors. */
  onInvalid?: (errors: FieldErrors) => void;
};

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string;

/**
 * Values, errors and submit state of a form. Changing a field removes its error. After a submit the first field with an
 * error is focused, or the form's message is scrolled into view. A submit during another one does nothing.
 */
export function useForm<V>({ initial, validate, submit, failed, onInvalid }: FormOptions<V>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const isSending = useRef(false);
  const [refused, setRefused] = useState<{ element: HTMLFormElement } | null>(null);

  const set = <K extends keyof V & string>(name: K, value: V[K]): void => {
    setValues((old) => ({ ...old, [name]: value }));
    setErrors((old) => without(old, name));
    setChanged(true);
  };

  const show = (fieldErrors: FieldErrors, element: HTMLFormElement): void => {
    setErrors(fieldErrors);
    setRefused({ element });
  };

  // Runs after the errors are rendered, so that a screen reader reads them with the field.
  useEffect(() => {
    const wrong = refused?.element.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else refused?.element.querySelector('[role="alert"]:not(:empty)')?.scrollIntoView({ block: 'nearest' });
  }, [refused]);

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // React bubbles the submit of a dialog to the form that opened it, although the DOM does not.
    event.stopPropagation();
    if (isSending.current) return;
    isSending.current = true;
    const element = event.currentTarget;
    setMessage(null);
    try {
      const checked = validate?.(values) ?? {};
      if (checked instanceof Promise) setBusy(true);
      const fieldErrors = await checked;
      show(fieldErrors, element);
      if (Object.keys(fieldErrors).length > 0) return onInvalid?.(fieldErrors);
      setBusy(true);
      const stored = await submit(values);
      if (stored) setValues((now) => withStored(now, values, stored));
    } catch (thrown) {
      const byField = thrown instanceof ApiError ? thrown.errors : {};
      show(byField, element);
      const isShown = Object.keys(values as object).some((name) => errorWithin(byField, name) !== undefined);
      if (!isShown) setMessage(Object.values(byField)[0] ?? messageOf(thrown, failed));
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };

  return {
    values,
    errors,
    message,
    busy,
    changed,
    set,
    /** Sets errors of another request about the typed values. */
    setErrors,
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => void onSubmit(event),
    /** Props of a text field: `<TextInput label="Name" {...form.text('name')} />`. */
    text: (name: KeysOf<V, string>) => ({
      name,
      value: values[name] as string,
      error: errors[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value as V[typeof name]),
    }),
    /** Props of a control that passes its value: `<DayField label="From" {...form.value('from')} />`. */
    value: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value: V[K]) => set(name, value),
    }),
    /** Props of a check box or switch, which do not set aria-invalid themselves. */
    check: (name: KeysOf<V, boolean>) => ({
      name,
      checked: values[name] as boolean,
      error: errors[name],
      'aria-invalid': errors[name] !== undefined,
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set(name, event.currentTarget.checked as V[typeof name]),
    }),
    /** Props of a `Select`; an empty text is no selection. */
    choice: (name: KeysOf<V, string>) => ({
      name,
      value: (values[name] as string) || null,
      error: errors[name],
      onChange: (value: string | null) => set(name, (value ?? '') as V[typeof name]),
    }),
  };
}

/**
 * Returns the values with the stored ones in all fields that did not change during the save: the server trims and
 * normalises text, and a field with the typed text would count as unsaved.
 */
export function withStored<V>(now: V, submitted: V, stored: V): V {
  const settled = { ...now };
  for (const field in stored) if (now[field] === submitted[field]) settled[field] = stored[field];
  return settled;
}

/** Returns the error of a field, or else the first error nested in it. */
export const errorWithin = (errors: FieldErrors, name: string): string | undefined =>
  Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];

/** Returns the errors without those of a field and nested ones. */
function without(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => field !== name && !field.startsWith(`${name}.`)),
  );
}

const requiring =
  (isEmpty: (text: string) => boolean) =>
  <V>(messages: { readonly [K in keyof V]?: string }) =>
  (values: V): FieldErrors =>
    Object.fromEntries(
      (Object.entries(messages) as [keyof V & string, string][]).filter(([name]) =>
        isEmpty(String(values[name] ?? '')),
      ),
    );

/** Returns a `validate` for `useForm` that requires text fields, each with its message. */
export const required = requiring((text) => text.trim() === '');

/** Like `required`, for passwords, which may consist of spaces. */
export const requiredPassword = requiring((text) => text === '');
