import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { EditedField } from '@forecourt/contract/deal-fields';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import type { CellLink, CellValue, RowMark } from '../../grid/grid.ts';
import { createStore } from '../../platform/external-store.ts';
import type { FindContact } from '../do-not-contact/do-not-contact.queries.ts';
import type { DealField } from './deal-fields.ts';
import type { Attempt, DealRow, Origin } from './deal-row.ts';

// Stores of open dialogs, forms and panels: a cell or an action sets them, the part reads them.

export type DealDialog = {
  readonly kind:
    | 'email'
    | 'share'
    | 'transfer'
    | 'delete'
    | 'status'
    | 'month'
    | 'history'
    | 'merge'
    | 'attachments'
    | 'doNotContact'
    | 'deleted';
  readonly rows: readonly DealRow[];
  /** Rows that are not in the table, with which the row can be merged. The first is ticked. */
  readonly duplicates?: readonly ExistingDeal[] | undefined;
  /** The column of a history; null for all columns. */
  readonly field: string | null;
  readonly onDeleted: () => void;
};

export const dealDialog = createStore<DealDialog | null>(null);

/** The key of the row whose items are being edited. Set by a cell, read by the dialog. */
export const itemsInEdit = createStore<string | null>(null);

/** The form values of a row, all as texts. Custom fields that did not exist when the form was opened are absent. */
export type DealFormValues = Readonly<Record<EditedField, string> & { [key in CustomKey]?: string }>;

/** Unsaved values of a form. Plain data, which is stored unchanged. */
export type FormDraft = {
  /** `new`, or the id of a saved row in a draft of an earlier release. */
  readonly key: string;
  /** The row when its form was opened. */
  readonly opened: DealRow;
  readonly values: DealFormValues;
  /** The zone in which its times were typed. */
  readonly timeZone: string;
};

/** A value that a new row starts with: that of its group. */
export type FormPreset = { readonly field: DealField; readonly value: CellValue };

/** The new row whose form is open: its key, values restored after a reload, and its initial value. */
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

/** Returns the entry of a value on the Do not contact list, after it is loaded. */
export const findContact = createStore<FindContact>(() => undefined);

/** The fields that another row may have in common with a duplicate. */
const numberFields = ['customerNumber', 'dealNumber'] as const;
export type NumberField = (typeof numberFields)[number];

/** Ids of rows whose number was typed on this page and saved, until the marks compare it: they are loaded later. */
export const typedNumbers = createStore<readonly string[]>([]);

/** Adds a saved row to `typedNumbers` if its number was typed; values that were pasted or filled are not compared. */
export function noteTypedNumber(attempt: Attempt | null | undefined, { _id }: Deal, origin: Origin): void {
  const isTyped = origin !== 'others' && attempt?.changeSet === 'edit';
  if (isTyped && numberFields.some((field) => field in attempt.fields))
    typedNumbers.set([...typedNumbers.get(), _id]);
}

/** Returns a link to another row with the number in a cell, if it was typed on this page and a row was found. */
export const findDuplicate = createStore<(row: DealRow, field: NumberField) => CellLink | undefined>(
  () => undefined,
);

/** Marks of rows with files or comments by row key, with the number of files or (unread) comments. */
export const rowMarks = createStore<ReadonlyMap<string, readonly (RowMark & { readonly count: number })[]>>(
  new Map(),
);
