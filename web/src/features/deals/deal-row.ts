import type { Deal } from '@forecourt/contract/deals';
import type { EmailStatus } from '@forecourt/contract/email-sending';
import type { CellValue } from '../../grid/grid.ts';
import type { DealDraft } from './deal-draft.ts';
import { savedValue, type DealField } from './deal-fields.ts';

/** A row of the table: what the server knows (null: nothing yet) below what was typed and not yet confirmed. */
export interface DealRow {
  readonly key: string;
  readonly deal: Deal | null;
  readonly draft: DealDraft | undefined;
}

/** The fate of a row's newest message, and whether what it told has been edited since it was sent. */
export const emailStateOf = ({ emailStatus, isChangedSinceSent }: Deal): EmailStatus | 'none' | 'changed' =>
  isChangedSinceSent ? 'changed' : (emailStatus ?? 'none');

/** What a cell shows: the typed value until the server has it. */
export function valueOf(row: DealRow, field: DealField): CellValue {
  const typed = row.draft?.typed[field];
  return typed === undefined ? savedValue(row.deal, field) : typed.value;
}

/** A row without an id is unsaved (spec section 4). */
export const isUnsaved = (row: DealRow): boolean => row.deal === null;

/** The row at the end in which nothing has been typed yet. */
export const isBlank = ({ deal, draft }: DealRow): boolean => deal === null && draft === undefined;

/** What a row is called in a sentence. */
export const rowName = (row: DealRow): string => String(valueOf(row, 'customerName') ?? '');
