import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { Deal } from '@forecourt/contract/deals';
import type { FieldConflict } from '@forecourt/contract/errors';
import { sameValue, type CellValue, type Refusal } from '../../../grid/grid.ts';
import type { NewChangeSet } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deals.ts';
import { customValueOf, requiredFields, savedValue, type DealField } from '../deal-fields.ts';
import type { Attempt, DealDraft, Fields, Typed, UnsentReason } from '../deal-row.ts';
import { sentItems } from '../items/deal-items.ts';

/** Returns the change set of an attempt. Attempts stored by an earlier release have none. */
export const changeSetOf = ({ changeSet }: Partial<Pick<Attempt, 'changeSet'>>): NewChangeSet =>
  changeSet ?? 'edit';

/** A change of a cell: the value at the start of the edit, and the new one. */
export type FieldChange = {
  readonly field: DealField;
  readonly before: CellValue;
  readonly after: CellValue;
};

/** A text that a cell could not parse; null removes it. */
type FieldRefusal = { readonly field: DealField; readonly refusal: Refusal | null };

export type FieldEdit = FieldChange | FieldRefusal;

/** Older than every change, so that the server decides about a conflict by the field's history. */
const OLDEST_VERSION = 1;

export const emptyDraft = (
  key: string,
  dealId: string | null,
  month: string,
  place = 0,
  createKey = key,
): DealDraft => ({
  key,
  dealId,
  createKey,
  month,
  changeSet: 'edit',
  place,
  typed: {},
  refused: {},
  attempt: null,
  problem: null,
});

/** Adds values typed on this page to a draft of an earlier page. */
export const withNewer = (stored: DealDraft, newer: DealDraft): DealDraft => ({
  ...newer,
  typed: { ...stored.typed, ...newer.typed },
  refused: { ...stored.refused, ...newer.refused },
  attempt: newer.attempt ?? stored.attempt,
});

export const entriesOf = (draft: DealDraft): [DealField, Typed][] =>
  Object.entries(draft.typed) as [DealField, Typed][];

export const refusalsOf = (draft: DealDraft): [DealField, Refusal][] =>
  Object.entries(draft.refused) as [DealField, Refusal][];

export const isSettled = (draft: DealDraft): boolean =>
  draft.attempt === null && entriesOf(draft).length === 0 && refusalsOf(draft).length === 0;

const setField = (draft: DealDraft, field: DealField, typed: Typed): DealDraft => ({
  ...draft,
  typed: { ...draft.typed, [field]: typed },
});

/** Removes a typed value, to take another user's or to discard a refused one. */
export function discardField(draft: DealDraft, field: DealField): DealDraft {
  const { [field]: _, ...typed } = draft.typed;
  return { ...draft, typed };
}

export const applyEdit = (draft: DealDraft, deal: Deal | null, fieldEdit: FieldEdit): DealDraft =>
  'refusal' in fieldEdit ? applyRefusedText(draft, fieldEdit) : applyChange(draft, deal, fieldEdit);

/** Marks a cell with a text that it could not parse, or removes the mark. The value stays. */
function applyRefusedText(draft: DealDraft, { field, refusal }: FieldRefusal): DealDraft {
  const { [field]: _, ...refused } = draft.refused;
  return { ...draft, refused: refusal === null ? refused : { ...refused, [field]: refusal } };
}

/** Applies a typed value. If it equals the saved one, nothing is sent. */
export function applyChange(
  draft: DealDraft,
  deal: Deal | null,
  { field, before, after }: FieldChange,
): DealDraft {
  const typedBefore = draft.typed[field];
  const inFlight = draft.attempt !== null && field in draft.attempt.fields;
  if (deal !== null && !inFlight && sameValue(savedValue(deal, field), after))
    return discardField(draft, field);
  // A user who started to type before another user's change arrived has not seen that change.
  const baseVersion =
    deal === null ? 0 : sameValue(savedValue(deal, field), before) ? deal.version : OLDEST_VERSION;
  const typed: Typed = { value: after, version: typedBefore?.version ?? baseVersion };
  return setField(
    draft,
    field,
    typedBefore?.hold?.kind === 'conflict' ? { ...typed, hold: typedBefore.hold } : typed,
  );
}

export const missingFields = ({ typed }: DealDraft, required = requiredFields(undefined)): DealField[] =>
  required.filter((field) => sameValue(typed[field]?.value ?? null, null));

/**
 * Returns the next request; null if nothing can be sent. A new row needs its required fields
 * (docs/product/data-entry.md, New rows) and no refused field; a change contains fields that were typed at the same
 * version.
 */
export function nextAttempt(
  draft: DealDraft,
  newKey: () => string,
  required?: readonly DealField[],
): Attempt | null {
  if (draft.attempt !== null) return draft.attempt;
  const entries = entriesOf(draft);
  const sendable = entries.filter(([, { hold }]) => hold === undefined);
  const isWhole = sendable.length === entries.length && missingFields(draft, required).length === 0;
  if (draft.dealId === null && !isWhole) return null;
  const version = sendable[0]?.[1].version;
  if (version === undefined) return null;
  const sent = sendable.filter(([, typed]) => typed.version === version);
  return {
    idempotencyKey: draft.dealId === null ? draft.createKey : newKey(),
    version,
    fields: Object.fromEntries(sent.map(([field, { value }]) => [field, value])),
    changeSet: draft.changeSet,
  };
}

/** Fields that are null in the contract if empty; others are empty texts. */
const nullable = new Set(['deliveryDate', 'saleAmount', 'costAmount', 'followUpAt']);

export function bodyOf({ fields }: Pick<Attempt, 'fields'>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields) as [string, CellValue][]) {
    if (isCustomKey(field)) body['custom'] = Object.assign(custom, { [field]: customValueOf(value) });
    else if (field === 'items') body[field] = sentItems(value);
    else body[field] = nullable.has(field) ? value : (value ?? '');
  }
  return body;
}

/** Applies a successful response. Values changed since the request stay, based on the new version. */
export function applySaved(draft: DealDraft, deal: Deal): DealDraft {
  const sent = draft.attempt?.fields ?? {};
  const left = entriesOf(draft).flatMap(([field, typed]): [DealField, Typed][] => {
    if (!(field in sent))
      return [[field, draft.dealId === null ? { ...typed, version: deal.version } : typed]];
    return sameValue(sent[field] ?? null, typed.value) ? [] : [[field, { ...typed, version: deal.version }]];
  });
  return { ...draft, dealId: deal._id, typed: Object.fromEntries(left), attempt: null, problem: null };
}

/** Marks fields as unsent until the user decides, and removes the attempt. */
function markUnsent(draft: DealDraft, reasons: Fields<UnsentReason>): DealDraft {
  const typed = entriesOf(draft).map(([field, entry]): [DealField, Typed] => {
    const reason = reasons[field];
    return [field, reason === undefined ? entry : { ...entry, hold: reason }];
  });
  return { ...draft, typed: Object.fromEntries(typed), attempt: null, problem: null };
}

/**
 * Applies a conflict: marks the named fields, otherwise all that were sent. A field whose current value equals the
 * typed one needs no decision.
 * @param current current row: its last editor is named if the field's editor is unknown
 */
export function applyConflict(
  draft: DealDraft,
  conflicts: readonly FieldConflict[],
  current: Deal,
): DealDraft {
  const { updatedByName, updatedAt } = current;
  const authors = new Map(conflicts.map(({ field, byName, at }) => [field, { by: byName, at }]));
  const sent = Object.keys(draft.attempt?.fields ?? {});
  const named = sent.filter((field) => authors.has(field));
  const reasons = (named.length > 0 ? named : sent).map((field): [string, UnsentReason] => [
    field,
    { kind: 'conflict', ...(authors.get(field) ?? { by: updatedByName, at: updatedAt }) },
  ]);
  const marked = markUnsent(draft, Object.fromEntries(reasons));
  const agreed = entriesOf(marked).filter(
    ([field, { value, hold: reason }]) =>
      reason?.kind === 'conflict' && sameValue(savedValue(current, field), value),
  );
  return agreed.reduce((next, [field]) => discardField(next, field), marked);
}

/**
 * Applies a refusal: marks the named fields with their messages, otherwise all that were sent with a general one. A
 * required custom field is marked even if it was not sent.
 */
export function applyRefusal(
  draft: DealDraft,
  errors: Readonly<Record<string, string>>,
  message: string,
): DealDraft {
  const sent = draft.attempt?.fields ?? {};
  const messages = new Map(Object.entries(errors).map(([name, text]) => [name.replace('custom.', ''), text]));
  const named = [...messages.keys()].filter(
    (name) => name in sent || (draft.dealId === null && isCustomKey(name)),
  );
  // A value that was typed since is sent next.
  const fields = ((named.length > 0 ? named : Object.keys(sent)) as DealField[]).filter(
    (field) => !(field in sent) || sameValue(sent[field]!, draft.typed[field]?.value ?? null),
  );
  const [firstError] = messages.values();
  const reasons = fields.map((field): [string, UnsentReason] => [
    field,
    { kind: 'refused', message: messages.get(field) ?? firstError ?? message },
  ]);
  const empty = fields.map((field): [string, Typed] => [field, { value: null, version: 0 }]);
  const typed = { ...Object.fromEntries(empty), ...draft.typed };
  return markUnsent({ ...draft, typed }, Object.fromEntries(reasons));
}

/**
 * Moves the values of a row that was merged into another one to the draft of that row, as conflicts to decide. A value
 * that the survivor has needs no decision. Fields that were also typed in the survivor stay, so that no text is lost.
 */
export function moveToSurvivor(
  draft: DealDraft,
  ofSurvivor: DealDraft,
  survivor: Deal,
): { left: DealDraft; moved: DealDraft } {
  const hold = { kind: 'conflict', by: survivor.updatedByName, at: survivor.updatedAt } as const;
  const isFree = ([field]: readonly [DealField, unknown]): boolean =>
    !(field in ofSurvivor.typed) && !(field in ofSurvivor.refused);
  const typed = Object.groupBy(entriesOf(draft), (entry) => (isFree(entry) ? 'moved' : 'left'));
  const refused = Object.groupBy(refusalsOf(draft), (entry) => (isFree(entry) ? 'moved' : 'left'));
  const conflicts = (typed.moved ?? [])
    .filter(([field, { value }]) => !sameValue(savedValue(survivor, field), value))
    .map(([field, { value }]) => [field, { value, version: OLDEST_VERSION, hold }] as const);
  const unsent: UnsentReason = { kind: 'refused', message: texts.rowMerged };
  return {
    left: {
      ...draft,
      typed: Object.fromEntries(
        (typed.left ?? []).map(([field, entry]) => [field, { ...entry, hold: unsent }]),
      ),
      refused: Object.fromEntries(refused.left ?? []),
      attempt: null,
      problem: null,
    },
    moved: {
      ...ofSurvivor,
      typed: { ...ofSurvivor.typed, ...Object.fromEntries(conflicts) },
      refused: { ...ofSurvivor.refused, ...Object.fromEntries(refused.moved ?? []) },
    },
  };
}

/** Sends the typed value over the other user's, which the user has now seen. */
export function keepMine(draft: DealDraft, field: DealField, deal: Deal): DealDraft {
  const typed = draft.typed[field];
  return typed === undefined ? draft : setField(draft, field, { value: typed.value, version: deal.version });
}

/** Removes refusals, so that the values are sent again. Conflicts stay, because they need a decision. */
export const clearRefusals = (draft: DealDraft): DealDraft => ({
  ...draft,
  typed: Object.fromEntries(
    entriesOf(draft).map(([field, typed]) => [
      field,
      typed.hold?.kind === 'refused' ? { value: typed.value, version: typed.version } : typed,
    ]),
  ),
});
