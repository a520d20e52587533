/** What tests and measurements reach inside the page; knows nothing of the grid's source, which other compilers read. */
interface PageControls {
  readonly store: {
    readonly get: (key: string) => PageRow | undefined;
    readonly getOrder: () => readonly string[];
    readonly setRows: (records: readonly PageRow[]) => void;
    readonly upsert: (records: readonly PageRow[], place?: 'end' | 'aside') => void;
    readonly remove: (keys: Iterable<string>) => void;
  };
  /** Headers in the order in which the columns first stand. */
  readonly headers: readonly string[];
  readonly changes: PageChange[];
  /** What kinds of command there were, oldest first. */
  readonly commands: string[];
  /** What was told of typing, oldest first. */
  readonly typed: ({ readonly columnId: string; readonly text: string } | null)[];
  selected: { readonly keys: readonly string[]; readonly columnIds: readonly string[] } | null;
  readonly makeRows: (count: number) => PageRow[];
  readonly sort: (columnId: string) => void;
  /** Gives a new row its id, as the server's answer to a save would. */
  readonly save: (key: string) => void;
  readonly scrollToRow: (key: string) => void;
  /** A table written as markup and read again. */
  readonly throughHtml: (rows: string[][]) => readonly (readonly string[])[] | null;
  /** What the grid is to find. */
  lookFor: (text: string) => void;
  readonly findNext: (backwards: boolean) => boolean;
  /** Marks one cell, as where a colleague is, and no other; null: none. */
  readonly mark: (cell: { key: string; columnId: string; label: string } | null) => void;
  /** Pins a column to a side, or lets it scroll. */
  pin: (columnId: string, side: 'left' | 'right' | null) => void;
  /** Takes the grid off the page. */
  readonly leave: () => void;
  /** Milliseconds from the rows being there to the first of them being in the document. */
  firstRowsAfter: number;
}

export interface PageChange {
  readonly key: string;
  readonly columnId: string;
  readonly before: string | number | null;
  readonly after: string | number | null;
}

/** A deal as it could be, the same at every visit. */
export interface PageRow {
  readonly key: string;
  readonly id?: string;
  readonly [field: string]: string | number | null | undefined;
}

declare global {
  interface Window {
    page: PageControls;
  }
}
