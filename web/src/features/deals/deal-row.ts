import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import type { CellLink, CellValue, Command, Refusal } from '../../grid/grid.ts';
import type { NewChangeSet } from '../../platform/ids.ts';
import { mailAfter, mailStates, texts } from '../../texts/deals.ts';
import { savedValue, type DealField } from './deal-fields.ts';

/** Why a typed value is not sent: another user, by name, changed the field first, or the server refused the value. */
export type UnsentReason =
  | { readonly kind: 'conflict'; readonly by: string; readonly at: string }
  | { readonly kind: 'refused'; readonly message: string };

/** A typed value and the row version on which it was typed (0: the row was not saved yet). */
export type Typed = { readonly value: CellValue; readonly version: number; readonly hold?: UnsentReason };

export type Fields<T> = { readonly [field in DealField]?: T };

/** A request that may have reached the server: repeated unchanged until there is a response. */
export type Attempt = {
  readonly idempotencyKey: string;
  readonly version: number;
  readonly fields: Fields<CellValue>;
  readonly changeSet: NewChangeSet;
};

/** Unconfirmed edits of one row. Plain data: stored as it is. */
export type DealDraft = {
  readonly key: string;
  /** Null: the row is new. */
  readonly dealId: string | null;
  /**
   * Idempotency key for creating the row. It is the same in all tabs and attempts, so that one draft creates one row.
   */
  readonly createKey: string;
  /** Month of a new row. */
  readonly month: string;
  /** The change set of its last edit. */
  readonly changeSet: NewChangeSet;
  /** Position among all drafts: pasted rows are sent in order, also after a reload. */
  readonly place: number;
  readonly typed: Fields<Typed>;
  /** Texts that could not be parsed. They stay until they are corrected or discarded. */
  readonly refused: Fields<Refusal>;
  readonly attempt: Attempt | null;
  /** Error of the last attempt, while it is retried. */
  readonly problem: string | null;
};

/** A row of the table: the saved values (null: none yet) and the unconfirmed edits. */
export interface DealRow {
  readonly key: string;
  readonly deal: Deal | null;
  readonly draft: DealDraft | undefined;
}

/** What produced a version of a row: creating, changing, or deleting and restoring it here, or another user. */
export type Origin = 'made' | 'changed' | 'restored' | 'others';

/** A command of the grid, or changes from a form. */
export type DealCommand = Pick<Command, 'changes'> & Partial<Command>;

/** Returns whether an email was delivered and is out of date, and the state of a newer message. */
export function mailOf({ emailStatus, lastEmailedAt, isChangedSinceSent }: Deal) {
  const newest = emailStatus ?? 'none';
  const delivered = isChangedSinceSent ? 'changed' : 'sent';
  if (newest === 'sent') return { state: delivered, text: mailStates[delivered] };
  const text = lastEmailedAt ? mailAfter[delivered](mailStates[newest]) : mailStates[newest];
  return { state: newest, text };
}

/** Returns the displayed value of a cell: the typed value until it is saved. */
export function valueOf(row: DealRow, field: DealField): CellValue {
  const typed = row.draft?.typed[field];
  return typed === undefined ? savedValue(row.deal, field) : typed.value;
}

/** Returns the phone number and the email address of the customer, as far as there are any. */
export const contactsOf = (row: DealRow): string[] =>
  (['customerNumber', 'customerEmail'] as const).flatMap((field) => {
    const value = valueOf(row, field);
    return value ? String(value) : [];
  });

/** Returns whether the user may change a saved row, or why not. */
export const editAbility = ({ abilities, ownerName }: Deal): Ability =>
  abilities.edit === true || texts.ownedBy(ownerName);

/** A row without an id is unsaved (docs/product/data-entry.md, New rows). */
export const isUnsaved = (row: DealRow): boolean => row.deal === null;

/** The last row, which has no edits yet. */
export const isBlank = ({ deal, draft }: DealRow): boolean => deal === null && draft === undefined;

/** Whether a saved row has a sale but no commission, because no rate was set for it. */
export const lacksRate = ({ deal, draft }: DealRow): boolean =>
  deal?.commission === null &&
  (deal.saleAmount ?? null) !== null &&
  Object.keys(draft?.typed ?? {}).length === 0;

/**
 * Returns the link that calls the customer, with its name; null without a number, and for one on the Do not contact list.
 */
export function phoneLink(row: DealRow, isListed: (text: unknown) => unknown): CellLink | null {
  const number = valueOf(row, 'customerNumber') ?? '';
  return number === '' || isListed(number)
    ? null
    : { href: `tel:${String(number).replaceAll(/[^+\d]/g, '')}`, label: texts.call(String(number)) };
}

export const rowName = (row: DealRow): string => String(valueOf(row, 'customerName') ?? '');
