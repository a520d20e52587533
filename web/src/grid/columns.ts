import type { ReactNode } from 'react';

/** Value of a cell. Times are ISO 8601 UTC, dates `YYYY-MM-DD`, money a number of dollars, a select its option's value. */
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

/** The browser creates the key of every record, so that a row without a server id is handled like any other. */
export interface GridRecord {
  readonly key: string;
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Class of the option in the list, for example for a status colour. */
  readonly className?: string;
}

/** The part of a list that is being typed, and the text around it. */
export interface TextPart {
  readonly before: string;
  readonly typed: string;
  readonly after: string;
}

export type Parsed = { ok: true; value: CellValue } | { ok: false; message: string };

export interface CellLink {
  readonly href: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Opens the target without loading the page again; a click with a key pressed follows `href`. */
  readonly open?: () => void;
}

export interface GridColumn<R extends GridRecord> {
  readonly id: string;
  readonly header: string;
  readonly type: CellType;
  /** Width in px until it is resized; default 140. */
  readonly size?: number;
  /** Minimum width in px; default 50 (docs/product/limits.md, Screen limits). */
  readonly minSize?: number;
  /** Default: right for numbers and currency, left for all other types. */
  readonly align?: 'left' | 'right' | 'center';
  readonly get: (record: R) => CellValue;
  /** Returns the text of the display cell; default: the type's format. Must be fast: every mounted cell calls it. */
  readonly format?: (value: CellValue, record: R) => string;
  /**
   * Replaces the parser of the type. The text is trimmed and not empty, because an emptied cell becomes null. `present`
   * is the value of the cell: it may have parts that the text omits.
   */
  readonly parse?: (text: string, present: CellValue) => Parsed;
  /** Returns the text for editing and copying, which `parse` must accept. Default: that of the type. */
  readonly toText?: (value: string | number) => string;
  /** Returns the position of a value in an order of the caller, for sorting. */
  readonly rank?: (value: string | number) => number;
  /** Opens an editor of the caller in place of the cell editor, to amend the current value. */
  readonly open?: (record: R) => void;
  /** An editor of the caller for parts that the text omits: the last entry of a select, and Alt+Enter. */
  readonly details?: { readonly label: string; readonly open: (record: R) => void };
  readonly options?: readonly SelectOption[];
  /** Makes a select accept several options, separated by commas. Returns the option being typed at the end. */
  readonly lastOption?: (text: string) => TextPart;
  /** Marks a computed column, whose cells cannot be edited. Trying to edit one shows no reason. */
  readonly readOnly?: boolean;
  /** Returns why this user may not edit this record's cell; null if they may. */
  readonly blockedReason?: (record: R) => string | null;
  /** Returns why the value of this record's cell is invalid, so that the cell is marked; null if it is valid. */
  readonly invalidReason?: (record: R) => string | null;
  /** Returns the link at the edge of this record's cell; null for no link. */
  readonly link?: (record: R) => CellLink | null;
  /** Returns the refused text that this record's cell shows instead of its value; null if it shows the value. */
  readonly refusal?: (record: R) => Refusal | null;
  readonly cellClassName?: (record: R) => string | undefined;
  readonly maxLength?: number;
  /** The keyboard of a phone; default: that of the type. */
  readonly inputMode?: 'email' | 'url';
}

/** A cell by record key and column id, which stays valid when rows are added or removed. */
export interface CellAddress {
  readonly key: string;
  readonly columnId: string;
}

export const sameCell = (a: CellAddress, b: CellAddress): boolean =>
  a.key === b.key && a.columnId === b.columnId;

export interface Change extends CellAddress {
  /** The value at the start of the edit, which may be older than the record's current one. */
  readonly before: CellValue;
  readonly after: CellValue;
}

/** A text that could not be parsed. It remains in its cell, marked, until it is corrected or discarded. */
export interface Refusal {
  readonly text: string;
  readonly message: string;
  /** The value at the start of the edit; absent if it is unknown. */
  readonly before?: CellValue;
}

export interface RefusedText extends CellAddress, Refusal {}

/** The only kind of change that the grid emits; one step of undo. The caller applies and records it. */
export interface Command {
  readonly source: 'edit' | 'clear' | 'cut' | 'paste' | 'fill';
  /** Changed values, at most one per cell. */
  readonly changes: readonly Change[];
  /** Refused texts: the caller stores them with their records, and their columns return them by `refusal`. */
  readonly refused: readonly RefusedText[];
  /** Earlier refused texts that were corrected, replaced or discarded. */
  readonly cleared: readonly RefusedText[];
}

/** Text in an open editor that is not saved yet. */
export interface TypedText extends CellAddress {
  readonly text: string;
  /** The value at the start of the edit. */
  readonly before: CellValue;
}

/** Returns the refused text of a record's cell with its address; null if the cell shows its value. */
export function refusedTextOf<R extends GridRecord>(column: GridColumn<R>, record: R): RefusedText | null {
  const refusal = column.refusal?.(record) ?? null;
  return refusal && { key: record.key, columnId: column.id, ...refusal };
}

/** Returns the value that the user saw in the cell: a refused text hides later changes by other users. */
export const seenValue = <R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  refused: Refusal | null,
): CellValue => (refused?.before === undefined ? column.get(record) : refused.before);
