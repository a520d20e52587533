/** What a column can hold: its name, and other names under which it comes. */
export type ImportField<F extends string> = {
  readonly field: F;
  readonly label: string;
  readonly aliases?: readonly string[];
  /** What there is to choose, by the names that people know. */
  readonly options?: readonly string[];
};

/** Which column of a table holds what; null: none. */
export type ColumnMatch<F extends string> = { readonly [field in F]: number | null };

/** Case, accents and whatever is no letter or digit aside. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The columns that are named like a field. Each column holds one thing: the first field that fits takes it. */
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
