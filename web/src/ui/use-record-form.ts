import { errorsByField, validate as issuesOf, type Schema } from '@forecourt/contract/validate';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../platform/api-error.ts';
import { foreignChanges, type ComparedField, type ForeignChange } from './foreign-changes.ts';
import { createIntentionKeys } from './intention-keys.ts';
import { schemas } from './schemas.ts';
import { toastDone } from './toasts.ts';
import { useForm, type FieldErrors, type FormOptions } from './use-form.ts';

type RecordFormOptions<R, V, I> = Pick<FormOptions<V>, 'failed' | 'onInvalid'> & {
  /** Undefined for a new one. */
  record?: R;
  valuesOf: (record: R) => V;
  /** Converts the values to the request body; default: unchanged. @param base the record as it was loaded */
  inputOf?: (values: V, base: R) => I;
  /**
   * The contract's schema of the request body, which is loaded and validates it with the server's messages. Errors of
   * fields that the form does not have are left to the server; if loading fails, all are.
   */
  schema?: keyof typeof schemas;
  /** Rules beyond the schema. */
  validate?: (values: V, base: R) => FieldErrors;
  /** The fields that a conflict compares, with their labels. */
  fields?: readonly ComparedField<V>[];
  /** Replaces `set` if a conflict or a reset changes a field. */
  put?: (field: keyof V & string, values: V) => void;
  /**
   * Sends the request body. The key is the same for the same input only. A form that stays open must return the stored
   * record. Required unless `send` or `submit` is set.
   */
  save?: (input: I, idempotencyKey: string, base: R) => Promise<R | void>;
  /** Sends the request body instead of `save`, for a form that closes. */
  send?: (input: I, idempotencyKey: string, base: R) => Promise<unknown>;
  /** The toast after `save` or `send`. */
  sent?: string;
  /** Closes the form after `save` or `send`. */
  onClose?: () => void;
  /** Receives a failure, which the form then does not show. Errors of fields are always shown. */
  onFailed?: (thrown: unknown) => void;
  /** Receives valid values instead of `save`. */
  submit?: (values: V) => Promise<V | void>;
};

/**
 * `useForm` with validation by the contract's schema, an idempotency key per input, and conflicts. After a 409, fields
 * that only the other user changed take their value; fields that both changed keep the typed value and are listed in
 * `conflict`, and the next save is based on the current record.
 */
export function useRecordForm<R, V extends object, I = V>({
  record = undefined as R,
  valuesOf,
  inputOf = (values) => values as unknown as I,
  schema,
  validate,
  fields = [],
  put: putOwn,
  save,
  send,
  sent,
  onClose,
  onFailed,
  submit,
  ...options
}: RecordFormOptions<R, V, I>) {
  type Field = keyof V & string;
  const [base, setBase] = useState(record);
  const [changes, setChanges] = useState<readonly ForeignChange<Field>[] | null>(null);
  const [keyFor] = useState(createIntentionKeys);
  const [loading] = useState(() => schema && schemas[schema]().catch(() => null));
  const [loaded, setLoaded] = useState<Schema | null>(null);
  useEffect(() => void loading?.then(setLoaded), [loading]);

  const errorsOf = (values: V, by: Schema | null): FieldErrors => {
    const issues = by ? (issuesOf(by, inputOf(values, base)).issues ?? []) : [];
    const shownIssues = issues.filter(({ path: [field = ''] }) => Object.hasOwn(values, field));
    return { ...errorsByField(shownIssues), ...validate?.(values, base) };
  };

  const saveValues = async (values: V): Promise<V | void> => {
    const input = inputOf(values, base);
    try {
      await send?.(input, keyFor(input), base);
      const stored = await save?.(input, keyFor(input), base);
      if (sent !== undefined) toastDone(sent);
      onClose?.();
      if (!stored) return;
      rebase(stored);
      return valuesOf(stored);
    } catch (thrown) {
      const refused = thrown instanceof ApiError ? thrown : undefined;
      if (refused?.code === 'CONFLICT' && base !== undefined) meet(refused.current as R);
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

  // The user may type more before the response of a save.
  const typed = useRef(form.values);
  useEffect(() => {
    typed.current = form.values;
  });
  const meet = (current: R, isRefused = true): void => {
    const currentValues = valuesOf(current);
    const foreign = foreignChanges(fields, valuesOf(base), currentValues, typed.current);
    for (const { field, isDisputed } of foreign) if (!isDisputed) put(field, currentValues);
    setBase(current);
    setChanges(isRefused || foreign.length > 0 ? foreign : null);
  };

  const putAll = (newValues: Partial<V>): void => {
    for (const field of Object.keys(newValues)) put(field as Field, { ...form.values, ...newValues });
  };

  const rebase = (from: R): void => {
    setBase(from);
    setChanges(null);
  };

  return {
    ...form,
    /** The record on which the next save is based. */
    base,
    conflict: {
      /** The other user's changes; null without a conflict. */
      changes,
      /** Sets a field to the other user's value. */
      take: (field: Field): void => {
        put(field, valuesOf(base));
        setChanges(
          (all) => all?.map((one) => (one.field === field ? { ...one, isDisputed: false } : one)) ?? null,
        );
      },
    },
    /** Merges the current record with the typed values, after a 409 or (not `isRefused`) another failure. */
    meet,
    putAll,
    /** Bases the next save on a record; typed values stay. */
    rebase,
    reset: (from: R): void => {
      rebase(from);
      putAll(valuesOf(from));
    },
    /** Returns the current errors; empty until the schema is loaded. */
    wrong: (): FieldErrors => errorsOf(form.values, loaded),
    /** Saves without a submit event. Throws all failures except conflicts. */
    save: async (): Promise<void> => {
      const stored = await saveValues(form.values);
      if (stored) putAll(stored);
    },
  };
}
