import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import type { CellLink, CellValue, Command, Refusal } from '../../grid/grid.ts';
import type { NewChangeSet } from '../../platform/ids.ts';
import { mailAfter, mailStates, texts } from '../../texts/deals.ts';
import { savedValue, type DealField } from './deal-fields.ts';

/** Why a typed value is not sent: another user (by name) changed the field first, or the server refused the value. */
export type UnsentReason =
  | { readonly kind: 'conflict'; readonly by: string; readonly at: string }
  | { readonly kind: 'refused'; readonly message: string };

/** A typed value and the version of the row when it was typed (0 for an unsaved row). */
export type Typed = { readonly value: CellValue; readonly version: number; readonly hold?: UnsentReason };

export type Fields<T> = { readonly [field in DealField]?: T };

/** A request that the server may have received. It is repeated unchanged until there is a response. */
export type Attempt = {
  readonly idempotencyKey: string;
  readonly version: number;
  readonly fields: Fields<CellValue>;
  readonly changeSet: NewChangeSet;
};

/** Unsaved edits of one row. Plain data, which is stored unchanged. */
export type DealDraft = {
  readonly key: string;
  /** Null for a new row. */
  readonly dealId: string | null;
  /** Idempotency key of the creation, equal in all tabs and attempts, so that a draft creates one row. */
  readonly createKey: string;
  /** Month of a new row. */
  readonly month: string;
  /** The change set of the last edit. */
  readonly changeSet: NewChangeSet;
  /** Position among all drafts, so that pasted rows are sent in order, even after a reload. */
  readonly place: number;
  readonly typed: Fields<Typed>;
  /** Texts that could not be parsed; they stay until corrected or discarded. */
  readonly refused: Fields<Refusal>;
  readonly attempt: Attempt | null;
  /** Error of the last attempt, which is retried. */
  readonly problem: string | null;
};

/** A row of the table: the saved values (null for a new row) and unsaved edits. */
export interface DealRow {
  readonly key: string;
  readonly deal: Deal | null;
  readonly draft: DealDraft | undefined;
}

/** The origin of a version: created, changed, or deleted and restored on this page, or another user. */
export type Origin = 'made' | 'changed' | 'restored' | 'others';

/** A command of the grid, or changes from a form. */
export type DealCommand = Pick<Command, 'changes'> & Partial<Command>;

/** Returns whether the last email is outdated, and the state of a newer message. */
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

/** Returns the customer's phone number and email address, if present. */
export const contactsOf = (row: DealRow): string[] =>
  (['customerNumber', 'customerEmail'] as const).flatMap((field) => {
    const value = valueOf(row, field);
    return value ? String(value) : [];
  });

/** Returns `true` if the user may change a saved row, otherwise the reason. */
export const editAbility = ({ abilities, ownerName }: Deal): Ability =>
  abilities.edit === true || texts.ownedBy(ownerName);

/** Whether a row is unsaved (docs/product/data-entry.md, New rows). */
export const isUnsaved = (row: DealRow): boolean => row.deal === null;

/** Whether this is the last row, without edits. */
export const isBlank = ({ deal, draft }: DealRow): boolean => deal === null && draft === undefined;

/** Whether a saved row has a sale but no commission, because it has no rate. */
export const lacksRate = ({ deal, draft }: DealRow): boolean =>
  deal?.commission === null &&
  (deal.saleAmount ?? null) !== null &&
  Object.keys(draft?.typed ?? {}).length === 0;

/** Returns a link that calls the customer; null without a number, or if it is on the Do not contact list. */
export function phoneLink(row: DealRow, isListed: (text: unknown) => unknown): CellLink | null {
  const number = valueOf(row, 'customerNumber') ?? '';
  return number === '' || isListed(number)
    ? null
    : { href: `tel:${String(number).replaceAll(/[^+\d]/g, '')}`, label: texts.call(String(number)) };
}

export const rowName = (row: DealRow): string => String(valueOf(row, 'customerName') ?? '');
