/** One field of a form, as a conflict speaks of it. */
export type ComparedField<V> = {
  readonly field: keyof V & string;
  readonly label: string;
  /** The value for people to read; the value itself where it is a text. */
  readonly words?: (values: V) => string;
  /** The value for comparing; `words` where that says everything. */
  readonly exact?: (values: V) => string;
};

/** One field that somebody else changed, and what is in it now. */
export type ForeignChange<F extends string = string> = {
  readonly field: F;
  readonly label: string;
  readonly theirs: string;
  /** This person changed it, too, in another way. If not, nothing speaks against taking theirs over. */
  readonly isDisputed: boolean;
};

/**
 * What somebody else changed while a form was open.
 * @param base what the form was filled from
 * @param theirs the record as it is now
 * @param typed what the form holds
 */
export function foreignChanges<V>(
  fields: readonly ComparedField<V>[],
  base: V,
  theirs: V,
  typed: V,
): ForeignChange<keyof V & string>[] {
  return fields.flatMap(({ field, label, words = (values) => String(values[field]), exact = words }) => {
    const now = exact(theirs);
    if (now === exact(base) || now === exact(typed)) return [];
    return [{ field, label, theirs: words(theirs), isDisputed: exact(typed) !== exact(base) }];
  });
}
