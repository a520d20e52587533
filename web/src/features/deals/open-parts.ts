import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { EditedField } from '@forecourt/contract/deal-fields';
import type { CellValue, RowMark } from '../../grid/grid.ts';
import { createStore } from '../../platform/external-store.ts';
import type { FindContact } from '../do-not-contact/do-not-contact.queries.ts';
import type { DealField } from './deal-fields.ts';
import type { DealRow } from './deal-row.ts';

// Which dialogs, forms and panels are open: set by a cell or an action, read by the part that shows them.

export type DealDialog = {
  readonly kind:
    | 'email'
    | 'share'
    | 'transfer'
    | 'delete'
    | 'status'
    | 'month'
    | 'history'
    | 'attachments'
    | 'doNotContact'
    | 'deleted';
  readonly rows: readonly DealRow[];
  /** The column of a history; null for all. */
  readonly field: string | null;
  readonly onDeleted: () => void;
};

export const dealDialog = createStore<DealDialog | null>(null);

/** The key of the row whose items are being edited. Set by a cell, read by the dialog beside the table. */
export const itemsInEdit = createStore<string | null>(null);

/**
 * A row as values of a form: every field is a text, as in its control. Custom fields that did not exist when the form was
 * opened are absent.
 */
export type DealFormValues = Readonly<Record<EditedField, string> & { [key in CustomKey]?: string }>;

/** Unsaved values of the form of a row: plain data, stored as it is. */
export type FormDraft = {
  /** `new`; the id of a saved row in a draft of a former release. */
  readonly key: string;
  /** The row as it was when its form was opened. */
  readonly opened: DealRow;
  readonly values: DealFormValues;
  /** The clock on which its times were typed. */
  readonly timeZone: string;
};

/** A value that the form of a new row starts with: that of its group. */
export type FormPreset = { readonly field: DealField; readonly value: CellValue };

/** The new row whose form is open, by its key, what was typed into it before a reload, and a value that it starts with. */
export const dealInForm = createStore<{
  readonly key: string;
  readonly draft?: FormDraft;
  readonly preset?: FormPreset;
} | null>(null);

/** The id of the deal whose comments are open. */
export const commentsOpen = createStore<string | null>(null);

/** Opens the comments of a deal; open ones receive the focus. */
export function openComments(dealId: string): void {
  if (commentsOpen.get() !== dealId) commentsOpen.set(dealId);
  else document.querySelector<HTMLElement>('[data-new-comment] textarea')?.focus();
}

export const openFiles = (row: DealRow): void =>
  dealDialog.set({ kind: 'attachments', rows: [row], field: null, onDeleted: () => undefined });

/** Finds the entry of a phone number or an address on the Do not contact list, once that is loaded. */
export const findContact = createStore<FindContact>(() => undefined);

/** Marks of the rows that have files or comments, by key, with the number of files or of (unread) comments. */
export const rowMarks = createStore<ReadonlyMap<string, readonly (RowMark & { readonly count: number })[]>>(
  new Map(),
);
