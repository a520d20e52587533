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
  const find = (field: F, headings: readonly string[]): void => {
    const columnIndex = headings
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

/** Returns the headers; of several equal ones the later are numbered: `Amount`, `Amount (2)`. */
function numberedHeaders(header: readonly string[]): string[] {
  const names = new Set(header);
  const nextNumbers = new Map<string, number>();
  return header.map((name) => {
    let number = nextNumbers.get(name) ?? 1;
    const label = (): string => (number === 1 ? name : `${name} (${number})`);
    while (number > 1 && names.has(label())) number += 1;
    nextNumbers.set(name, number + 1);
    return label();
  });
}

/** Returns the header of each field that has a column, for `withRemembered`. */
export function headersOf<F extends string>(match: ColumnMatch<F>, header: readonly string[]) {
  const headers = numberedHeaders(header);
  return Object.fromEntries(
    Object.entries<number | null>(match).flatMap(([field, index]) =>
      index === null ? [] : [[field, headers[index] ?? '']],
    ),
  );
}

/**
 * Returns the match with the columns of these headers, if the file has them. Other fields lose such a column.
 * @param fixed fields that keep their columns
 */
export function withRemembered<F extends string>(
  match: ColumnMatch<F>,
  headers: Readonly<Record<string, string>>,
  header: readonly string[],
  fixed: ReadonlySet<string>,
): ColumnMatch<F> {
  const ownHeaders = numberedHeaders(header);
  const matched = Object.entries<number | null>(match);
  const fixedColumns = new Set(matched.flatMap(([field, index]) => (fixed.has(field) ? [index] : [])));
  const found = Object.entries(headers).flatMap(([field, name]) => {
    const index = Object.hasOwn(match, field) && !fixed.has(field) ? ownHeaders.indexOf(name) : -1;
    return index < 0 || fixedColumns.has(index) ? [] : [[field, index] as const];
  });
  const taken = new Set(found.map(([, index]) => index));
  const others = matched.map(([field, index]) => [field, index !== null && taken.has(index) ? null : index]);
  return Object.fromEntries([...others, ...found]) as ColumnMatch<F>;
}
