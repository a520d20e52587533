import { errorsByField, validate as issuesOf, type Schema } from '@forecourt/contract/validate';
import { useEffect, useState } from 'react';
import { ApiError } from '../platform/api-error.ts';
import { foreignChanges, type ComparedField, type ForeignChange } from './foreign-changes.ts';
import { createIntentionKeys } from './intention-keys.ts';
import { useForm, type FieldErrors, type FormOptions } from './use-form.ts';

type RecordFormOptions<R, V, I> = Pick<FormOptions<V>, 'failed' | 'onInvalid'> & {
  /** What the form is filled from. */
  record: R;
  valuesOf: (record: R) => V;
  /** What is sent for the values, where that is not themselves. @param base the record that it is a change of */
  inputOf?: (values: V, base: R) => I;
  /**
   * The contract's schema of what is sent, of `schemas.ts`: it is loaded with the form. Its errors are those of the server, before anything is
   * sent. What no field of the form shows is left to the server, and so is everything where the file cannot be loaded.
   */
  schema?: () => Promise<Schema>;
  /** Rules beyond the schema. */
  validate?: (values: V, base: R) => FieldErrors;
  /** The fields as a conflict names them. */
  fields?: readonly ComparedField<V>[];
  /** Puts a value into the form, where `set` is not enough. */
  put?: (field: keyof V & string, values: V) => void;
  /**
   * Sends it. A form that stays open returns the record as it is stored. The key is the same for the same input, and
   * another one for anything else. A form without it has a `submit`.
   */
  save?: (input: I, idempotencyKey: string, base: R) => Promise<R | void>;
  /** Gets what failed, where that is not shown in the form. Errors of fields always are. */
  onFailed?: (thrown: unknown) => void;
  /** What a submit does with values that are right, in place of saving them. */
  submit?: (values: V) => Promise<V | void>;
};

/**
 * The form of a record, or of anything that is sent as the contract has it: `useForm` with the contract's schema as its
 * validator, one idempotency key for each input, and the conflict. After a 409 fields that only the other person changed
 * are taken over; those that both changed are kept and named, and the next save is a change of the record as it is now.
 */
export function useRecordForm<R, V extends object, I = V>({
  record,
  valuesOf,
  inputOf = (values) => values as unknown as I,
  schema,
  validate,
  fields = [],
  put: putOwn,
  save,
  onFailed,
  submit,
  ...options
}: RecordFormOptions<R, V, I>) {
  type Field = keyof V & string;
  const [base, setBase] = useState(record);
  const [changes, setChanges] = useState<readonly ForeignChange<Field>[] | null>(null);
  const [keyFor] = useState(createIntentionKeys);
  const [loading] = useState(() => schema?.().catch(() => null));
  const [loaded, setLoaded] = useState<Schema | null>(null);
  useEffect(() => void loading?.then(setLoaded), [loading]);

  const errorsOf = (values: V, by: Schema | null): FieldErrors => {
    const issues = by ? (issuesOf(by, inputOf(values, base)).issues ?? []) : [];
    const shown = issues.filter(({ path: [field = ''] }) => Object.hasOwn(values, field));
    return { ...errorsByField(shown), ...validate?.(values, base) };
  };

  const saveValues = async (values: V): Promise<V | void> => {
    const input = inputOf(values, base);
    try {
      const stored = await save?.(input, keyFor(input), base);
      if (!stored) return;
      rebase(stored);
      return valuesOf(stored);
    } catch (thrown) {
      const refused = thrown instanceof ApiError ? thrown : undefined;
      if (refused?.code === 'CONFLICT' && base !== undefined) meet(refused.current as R, values);
      else if (onFailed && Object.keys(refused?.errors ?? {}).length === 0) onFailed(thrown);
      else throw thrown;
    }
  };

  const form = useForm<V>({
    ...options,
    initial: valuesOf(record),
    validate: (values) =>
      loaded || !loading ? errorsOf(values, loaded) : loading.then((by) => errorsOf(values, by)),
    submit: submit ?? saveValues,
  });

  const put = putOwn ?? ((field: Field, values: V) => form.set(field, values[field]));

  const meet = (current: R, typed: V): void => {
    const theirs = valuesOf(current);
    const found = foreignChanges(fields, valuesOf(base), theirs, typed);
    for (const { field, isDisputed } of found) if (!isDisputed) put(field, theirs);
    setBase(current);
    setChanges(found);
  };

  const putAll = (given: Partial<V>): void => {
    for (const field of Object.keys(given)) put(field as Field, { ...form.values, ...given });
  };

  const rebase = (from: R): void => {
    setBase(from);
    setChanges(null);
  };

  return {
    ...form,
    /** What the next save is a change of. */
    base,
    conflict: {
      /** What somebody else changed; null: no conflict. */
      changes,
      /** Puts the other person's value into the form. */
      take: (field: Field): void => {
        put(field, valuesOf(base));
        setChanges(
          (all) => all?.map((one) => (one.field === field ? { ...one, isDisputed: false } : one)) ?? null,
        );
      },
    },
    /** After a 409: merges the record as it is now with what was typed. */
    meet,
    putAll,
    /** Takes a record as the one that the next save is a change of, and leaves what is typed. */
    rebase,
    /** Begins anew with a record. */
    reset: (from: R): void => {
      rebase(from);
      putAll(valuesOf(from));
    },
    /** What is wrong; empty while the schema is not there. */
    wrong: (): FieldErrors => errorsOf(form.values, loaded),
    /** Saves what is typed without the form's own submit. Throws what failed, but for a conflict. */
    save: async (): Promise<void> => {
      const typed = form.values;
      const stored = await saveValues(typed);
      if (stored) putAll(stored);
    },
  };
}
