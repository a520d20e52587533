export type PreviewLine<F extends string> = {
  readonly number: number;
  readonly cells: { readonly [field in F]: string };
  readonly errors: { readonly [field in F]?: string };
  /** Original texts of cells that were corrected automatically. */
  readonly repairs?: { readonly [field in F]?: string };
  /** A remark about a cell. */
  readonly notes?: { readonly [field in F]?: string };
  /** Fields whose cells can be edited although nothing is marked in them. */
  readonly editable?: readonly F[];
  /** Why the line is excluded; null if it is imported. */
  readonly leftOut: string | null;
  /** The record that the line duplicates: the user decides whether to import it. */
  readonly sameAs?: string | null;
  /** The values of an existing record that the line changes. */
  readonly changes?: { readonly [field in F]?: { readonly before: string; readonly after: string } };
  /** Whether the existing record has all values of the line. */
  readonly isSame?: boolean;
  /** What can be done with the line, and what will be. */
  readonly choice?: {
    readonly value: string;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  };
};

/** The ranks of lines in the order of their display. */
export const RANKS = [0, 1, 2, 3] as const;

/** Sort rank: invalid lines first, then excluded ones and duplicates, then the others, and last what changes nothing. */
export function rankOf({ errors, leftOut, sameAs = null, isSame = false }: PreviewLine<string>) {
  if (Object.keys(errors).length > 0) return 0;
  if (isSame) return 3;
  return leftOut === null && sameAs === null ? 2 : 1;
}
