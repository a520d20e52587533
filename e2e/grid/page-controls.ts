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
  readonly makeRows: (count: number) => PageRow[];
  readonly sort: (columnId: string) => void;
  /** Gives a new row its id, as the server's answer to a save would. */
  readonly save: (key: string) => void;
  readonly scrollToRow: (key: string) => void;
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
