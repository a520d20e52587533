/** A field of an import: its label, and other column names for it. */
export type ImportField<F extends string> = {
  readonly field: F;
  readonly label: string;
  readonly aliases?: readonly string[];
  /** The valid values, by the names that users know. */
  readonly options?: readonly string[];
};

/** The column index of each field; null: none. */
export type ColumnMatch<F extends string> = { readonly [field in F]: number | null };

/** Normalises a name: ignores case, accents and all but letters and digits. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Matches columns to fields by name. Each column is used once: by the first matching field. */
export function matchedColumns<F extends string>(
  header: readonly string[],
  fields: readonly ImportField<F>[],
): ColumnMatch<F> {
  const names = header.map(plain);
  const taken = new Set<number>();
  const match = fields.map(({ field, label, aliases = [] }): [F, number | null] => {
    const wanted = [label, ...aliases].map(plain);
    const found = wanted.map((name) => names.findIndex((own, index) => own === name && !taken.has(index)));
    const index = found.find((at) => at >= 0) ?? null;
    if (index !== null) taken.add(index);
    return [field, index];
  });
  return Object.fromEntries(match) as ColumnMatch<F>;
}
