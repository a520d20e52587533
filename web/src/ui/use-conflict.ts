import { useState } from 'react';
import { foreignChanges, type ComparedField, type ForeignChange } from './foreign-changes.ts';

type ConflictOptions<R, V> = {
  fields: readonly ComparedField<V>[];
  valuesOf: (record: R) => V;
  /** Puts a value into the form. */
  put: (field: keyof V & string, values: V) => void;
};

/**
 * What a form does with a 409: fields that only the other person changed are taken over, those that both changed
 * are kept and named. `record` is the record that the next save is a change of; null before any conflict.
 */
export function useConflict<R, V>({ fields, valuesOf, put }: ConflictOptions<R, V>) {
  type Change = ForeignChange<keyof V & string>;
  const [conflict, setConflict] = useState<{ record: R; changes: readonly Change[] } | null>(null);

  const meet = (base: R, current: R, typed: V): void => {
    const theirs = valuesOf(current);
    const changes = foreignChanges(fields, valuesOf(base), theirs, typed);
    for (const { field, isDisputed } of changes) if (!isDisputed) put(field, theirs);
    setConflict({ record: current, changes });
  };

  const take = (field: keyof V & string): void => {
    if (conflict === null) return;
    put(field, valuesOf(conflict.record));
    const changes = conflict.changes.map((change) =>
      change.field === field ? { ...change, isDisputed: false } : change,
    );
    setConflict({ ...conflict, changes });
  };

  return {
    record: conflict?.record ?? null,
    changes: conflict?.changes ?? null,
    meet,
    take,
    clear: () => setConflict(null),
  };
}
