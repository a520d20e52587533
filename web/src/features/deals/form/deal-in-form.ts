import { createStore } from '../../../platform/external-store.ts';
import type { DealRow } from '../deal-row.ts';
import type { DealFormValues } from './form-values.ts';

/** Unsaved values of the form of a row: plain data, stored as it is. */
export type FormDraft = {
  /** The id of the row, or `new`. */
  readonly key: string;
  /** The row as it was when its form was opened. */
  readonly opened: DealRow;
  readonly values: DealFormValues;
  /** The clock on which its times were typed. */
  readonly timeZone: string;
};

/** The row whose form is open, by its key, and what was typed into it before a reload. */
export const dealInForm = createStore<{ readonly key: string; readonly draft?: FormDraft } | null>(null);
