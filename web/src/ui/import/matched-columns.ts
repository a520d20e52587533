/** A field of an import: its label, and other column names for it. */
export type ImportField<F extends string> = {
  readonly field: F;
  readonly label: string;
  readonly aliases?: readonly string[];
  /** The valid values by their display names. */
  readonly options?: readonly string[];
  readonly isRequired?: boolean;
};

/** The column index of each field; null if no column matches. */
export type ColumnMatch<F extends string> = { readonly [field in F]: number | null };

/** Normalises a name: only letters and digits, without case and accents. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Matches columns to fields by label, then by other names. A column belongs to the first field that matches. */
export function matchedColumns<F extends string>(
  header: readonly string[],
  fields: readonly ImportField<F>[],
): ColumnMatch<F> {
  const names = header.map(plain);
  const taken = new Set<number>();
  const match = Object.fromEntries(fields.map(({ field }) => [field, null])) as {
    [field in F]: number | null;
  };
  const find = (field: F, wanted: readonly string[]): void => {
    const columnIndex = wanted
      .map(plain)
      .map((name) => names.findIndex((own, index) => own === name && !taken.has(index)));
    const index = match[field] ?? columnIndex.find((at) => at >= 0) ?? null;
    if (index !== null) taken.add(index);
    match[field] = index;
  };
  for (const { field, label } of fields) find(field, [label]);
  for (const { field, aliases = [] } of fields) find(field, aliases);
  return match;
}

/** Returns the header of each field that has a column. */
export const headersOf = <F extends string>(match: ColumnMatch<F>, header: readonly string[]) =>
  Object.fromEntries(
    Object.entries<number | null>(match).flatMap(([field, index]) =>
      index === null ? [] : [[field, header[index] ?? '']],
    ),
  );

/** Returns the match with the columns of these headers, if the file has them. Other fields lose such a column. */
export function withRemembered<F extends string>(
  match: ColumnMatch<F>,
  headers: Readonly<Record<string, string>>,
  header: readonly string[],
): ColumnMatch<F> {
  const found = Object.entries(headers).flatMap(([field, name]) => {
    const index = Object.hasOwn(match, field) ? header.indexOf(name) : -1;
    return index < 0 ? [] : [[field, index] as const];
  });
  const taken = new Set(found.map(([, index]) => index));
  const others = Object.entries<number | null>(match).map(([field, index]) => [
    field,
    index !== null && taken.has(index) ? null : index,
  ]);
  return Object.fromEntries([...others, ...found]) as ColumnMatch<F>;
}
