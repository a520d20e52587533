/** One line as it would be imported. */
export type PreviewLine<F extends string> = {
  readonly number: number;
  readonly cells: { readonly [field in F]: string };
  /** What is wrong with a cell. */
  readonly errors: { readonly [field in F]?: string };
  /** The texts of cells that were put right, as they came. */
  readonly repairs?: { readonly [field in F]?: string };
  /** Why the whole line is left out. */
  readonly leftOut: string | null;
  /** What the line is a duplicate of: whoever imports decides whether it is left out. */
  readonly sameAs?: string | null;
};

/** What wants to be seen first: what is wrong, then what is left out or a duplicate, then the rest. */
export function rankOf({ errors, leftOut, sameAs = null }: PreviewLine<string>): 0 | 1 | 2 {
  if (Object.keys(errors).length > 0) return 0;
  return leftOut === null && sameAs === null ? 2 : 1;
}
