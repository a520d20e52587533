export type PreviewLine<F extends string> = {
  readonly number: number;
  readonly cells: { readonly [field in F]: string };
  readonly errors: { readonly [field in F]?: string };
  /** Original texts of cells that were corrected automatically. */
  readonly repairs?: { readonly [field in F]?: string };
  /** A remark about a cell. */
  readonly notes?: { readonly [field in F]?: string };
  /** Why the line is excluded; null if it is imported. */
  readonly leftOut: string | null;
  /** The record that the line duplicates: the user decides whether to import it. */
  readonly sameAs?: string | null;
};

/** Sort rank: invalid lines first, then excluded ones and duplicates, then the others. */
export function rankOf({ errors, leftOut, sameAs = null }: PreviewLine<string>): 0 | 1 | 2 {
  if (Object.keys(errors).length > 0) return 0;
  return leftOut === null && sameAs === null ? 2 : 1;
}
