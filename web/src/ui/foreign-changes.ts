export type ComparedField<V> = {
  readonly field: keyof V & string;
  readonly label: string;
  /** Returns the value as text; by default the value itself, which must then be a text. */
  readonly text?: (values: V) => string;
  /** Returns a value for comparison; default: `text`. */
  readonly exact?: (values: V) => string;
};

/** A field that another user changed, with its current value. */
export type ForeignChange<F extends string = string> = {
  readonly field: F;
  readonly label: string;
  readonly theirs: string;
  /** Whether both users changed it, to different values. */
  readonly isDisputed: boolean;
};

/**
 * Returns the fields that another user changed while a form was open.
 * @param base values as they were loaded
 * @param theirs current values of the record
 * @param typed values of the form
 */
export function foreignChanges<V>(
  fields: readonly ComparedField<V>[],
  base: V,
  theirs: V,
  typed: V,
): ForeignChange<keyof V & string>[] {
  return fields.flatMap(({ field, label, text = (values) => String(values[field]), exact = text }) => {
    const now = exact(theirs);
    if (now === exact(base) || now === exact(typed)) return [];
    return [{ field, label, theirs: text(theirs), isDisputed: exact(typed) !== exact(base) }];
  });
}
