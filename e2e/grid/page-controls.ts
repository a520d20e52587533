/** Controls of the page for tests and measurements. Independent of the grid's source, which other compilers read. */
interface PageControls {
  readonly store: {
    readonly get: (key: string) => PageRow | undefined;
    readonly getOrder: () => readonly string[];
    readonly setOrder: (keys: readonly string[]) => void;
    readonly setRows: (records: readonly PageRow[]) => void;
    readonly upsert: (records: readonly PageRow[], place?: 'end' | 'aside') => void;
    readonly remove: (keys: Iterable<string>) => void;
  };
  /** Headers in the initial column order. */
  readonly headers: readonly string[];
  readonly changes: PageChange[];
  /** Kinds of commands so far, oldest first. */
  readonly commands: string[];
  /** Typing events so far, oldest first. */
  readonly typed: ({ readonly columnId: string; readonly text: string } | null)[];
  selected: { readonly keys: readonly string[]; readonly columnIds: readonly string[] } | null;
  readonly makeRows: (count: number) => PageRow[];
  readonly sort: (columnId: string) => void;
  /** Assigns the id of a new row, as the server's response to a save does. */
  readonly save: (key: string) => void;
  readonly scrollToRow: (key: string) => void;
  /** Writes a table as markup and parses it again. */
  readonly throughHtml: (rows: string[][]) => readonly (readonly string[])[] | null;
  /** Sets the search text of the grid. */
  setSearch: (text: string) => void;
  /** Groups the rows by a column, or ends that. */
  groupBy: (columnId: string | null) => void;
  /** Collapses all groups. */
  collapseAll: () => void;
  /** Keys of the groups to which a row was to be added, oldest first. */
  readonly added: string[];
  readonly findNext: (backwards: boolean) => boolean;
  /** Marks exactly one cell, as for a colleague's position; null: none. */
  readonly mark: (cell: { key: string; columnId: string; label: string } | null) => void;
  /** Marks exactly one row; null: none. */
  readonly markRow: (row: { key: string; label: string } | null) => void;
  /** Labels of the marks of rows that were clicked, oldest first. */
  readonly clickedMarks: string[];
  /** Keys of the rows opened by Space, oldest first; only with `opens` in the query. */
  readonly opened: string[];
  /** Pins a column to a side, or unpins it. */
  pin: (columnId: string, side: 'left' | 'right' | null) => void;
  /** Mounts a new grid with the options of a URL's query, after `leave`. No state of the last grid remains. */
  readonly mount: (query: string) => void;
  /** Unmounts the grid. */
  readonly leave: () => void;
  /** Milliseconds from loaded rows to the first row in the document. */
  firstRowsAfter: number;
}

export interface PageChange {
  readonly key: string;
  readonly columnId: string;
  readonly before: string | number | null;
  readonly after: string | number | null;
}

/** A realistic deal, identical at every load. */
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
