/** What a cell holds. Times are ISO 8601 UTC, dates `YYYY-MM-DD`, money a number of dollars, a select its option's value. */
export type CellValue = string | number | null;

export type CellType =
  | 'text'
  | 'multiline'
  | 'number'
  | 'currency'
  | 'phone'
  | 'date'
  | 'datetime'
  | 'select';

/** Every record has a key of the browser's own, so that a row typed a second ago is a row like any other. */
export interface GridRecord {
  readonly key: string;
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Put on the option in the list, for example to show a status colour. */
  readonly className?: string;
}

export type Parsed = { ok: true; value: CellValue } | { ok: false; message: string };

export interface GridColumn<R extends GridRecord> {
  readonly id: string;
  readonly header: string;
  readonly type: CellType;
  /** Width in px until somebody drags it; 140 when left out. */
  readonly size?: number;
  /** Narrowest width in px; 50 when left out (spec section 9). */
  readonly minSize?: number;
  /** Numbers and currency stand right when left out, everything else left. */
  readonly align?: 'left' | 'right' | 'center';
  readonly get: (record: R) => CellValue;
  /** Text of the display cell; the type's own format when left out. Called for every mounted cell, so keep it cheap. */
  readonly format?: (value: CellValue, record: R) => string;
  /** Replaces the type's own parser. The text is trimmed and never empty: an emptied cell becomes null. */
  readonly parse?: (text: string) => Parsed;
  /** The text that an editor begins with and that is copied; `parse` reads it back. The type's own when left out. */
  readonly toText?: (value: string | number) => string;
  /** Opens an editor of the caller's own, instead of one in the cell, when somebody wants to amend what is there. */
  readonly open?: (record: R) => void;
  /** The choices of a select. */
  readonly options?: readonly SelectOption[];
  /** Computed columns: nobody edits them, and nothing is said when somebody tries. */
  readonly readOnly?: boolean;
  /** Why this viewer may not edit this record's cell, in words for the tooltip; null when they may. */
  readonly blockedReason?: (record: R) => string | null;
  /** Why what this record's cell holds was not accepted, in words; the cell is marked for as long as there is a reason. */
  readonly invalidReason?: (record: R) => string | null;
  /** The text that this record's cell shows instead of its value, because it could not become one; null for none. */
  readonly refusal?: (record: R) => Refusal | null;
  /** Extra class of the cell, for example a coloured status. */
  readonly cellClassName?: (record: R) => string | undefined;
  readonly maxLength?: number;
}

/** A cell by record and column, so that it stays itself while rows come and go around it. */
export interface CellAddress {
  readonly key: string;
  readonly columnId: string;
}

export const sameCell = (a: CellAddress, b: CellAddress): boolean =>
  a.key === b.key && a.columnId === b.columnId;

export interface Change extends CellAddress {
  /** The value the person saw when they began, which may be older than the record's present one. */
  readonly before: CellValue;
  readonly after: CellValue;
}

/** Text that could not become a value. It stays in its cell, marked, until it is put right or given up. */
export interface Refusal {
  readonly text: string;
  /** What is wrong with it, in words. */
  readonly message: string;
  /** The value that the person saw when they began to type it; left out where nobody knows. */
  readonly before?: CellValue;
}

export interface RefusedText extends CellAddress, Refusal {}

/**
 * The one way in which the grid asks for a change, and one step for whoever undoes it. The caller applies it to the row
 * store and keeps it.
 */
export interface Command {
  readonly source: 'edit' | 'clear' | 'cut' | 'paste' | 'fill';
  /** Of cells whose value changes; no cell comes twice. */
  readonly changes: readonly Change[];
  /** Texts that were refused: the caller keeps them with their records, and their columns answer them. */
  readonly refused: readonly RefusedText[];
  /** Refused texts of before that are over: put right, replaced or given up. */
  readonly forgiven: readonly RefusedText[];
}

/** What is typed into an open editor and not saved. */
export interface TypedText extends CellAddress {
  readonly text: string;
  /** The value that the person saw when they began. */
  readonly before: CellValue;
}

/** The refused text that a record's cell shows, by its address. */
export function refusedTextOf<R extends GridRecord>(column: GridColumn<R>, record: R): RefusedText | null {
  const refusal = column.refusal?.(record) ?? null;
  return refusal && { key: record.key, columnId: column.id, ...refusal };
}

/** What a person who changes a cell has seen of its value. A refused text hides what others made of it since. */
export const seenValue = <R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  refused: Refusal | null,
): CellValue => (refused?.before === undefined ? column.get(record) : refused.before);
