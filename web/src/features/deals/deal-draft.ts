import type { Deal } from '@forecourt/contract/deals';
import type { FieldConflict } from '@forecourt/contract/errors';
import type { CellValue, Refusal } from '../../grid/grid.ts';
import { sameValue, savedValue, type DealField } from './deal-fields.ts';

/** Why a typed value waits for its person: somebody, by name, was first, or the server refused it with these words. */
export type Hold =
  | { readonly kind: 'conflict'; readonly by: string; readonly at: string }
  | { readonly kind: 'refused'; readonly message: string };

/** A typed value and the version of the row on which it was typed (0: the row was not saved yet). */
export type Typed = { readonly value: CellValue; readonly version: number; readonly hold?: Hold };

type Fields<T> = { readonly [field in DealField]?: T };

/** A request that may have reached the server: repeated word for word until an answer comes. */
export type Attempt = {
  readonly idempotencyKey: string;
  readonly version: number;
  readonly fields: Fields<CellValue>;
};

/** What was typed into one row and is not yet confirmed. Plain data: it is stored as it is. */
export type DealDraft = {
  readonly key: string;
  /** Null: the row is new. */
  readonly dealId: string | null;
  /** By this the server knows the new row, whichever tab sends it and however often: one draft is one row. */
  readonly createKey: string;
  /** The month that a new row gets. */
  readonly month: string;
  /** Its place among all drafts: rows that were pasted are sent in their order, also after a reload. */
  readonly place: number;
  readonly typed: Fields<Typed>;
  /** Texts that could not become values. They stay here until they are put right or given up. */
  readonly refused: Fields<Refusal>;
  readonly attempt: Attempt | null;
  /** Why the last attempt failed, while it is tried again. */
  readonly problem: string | null;
};

/** One cell's change: the value that the person saw when they began, and the new one. */
export type FieldChange = {
  readonly field: DealField;
  readonly before: CellValue;
  readonly after: CellValue;
};

/** A text that a cell could not take; null: that of before is over. */
type FieldRefusal = { readonly field: DealField; readonly refusal: Refusal | null };

/** What somebody does in one cell. */
export type FieldEdit = FieldChange | FieldRefusal;

/** Older than every change: the server compares with each field's own history, so this asks for its verdict. */
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
  place,
  typed: {},
  refused: {},
  attempt: null,
  problem: null,
});

export const entriesOf = (draft: DealDraft): [DealField, Typed][] =>
  Object.entries(draft.typed) as [DealField, Typed][];

export const refusalsOf = (draft: DealDraft): [DealField, Refusal][] =>
  Object.entries(draft.refused) as [DealField, Refusal][];

export const isSettled = (draft: DealDraft): boolean =>
  draft.attempt === null && entriesOf(draft).length === 0 && refusalsOf(draft).length === 0;

const put = (draft: DealDraft, field: DealField, typed: Typed): DealDraft => ({
  ...draft,
  typed: { ...draft.typed, [field]: typed },
});

function drop(draft: DealDraft, field: DealField): DealDraft {
  const { [field]: _, ...typed } = draft.typed;
  return { ...draft, typed };
}

/** Takes in what somebody does in a cell. */
export const edit = (draft: DealDraft, deal: Deal | null, did: FieldEdit): DealDraft =>
  'refusal' in did ? mark(draft, did) : type(draft, deal, did);

/** Marks a cell with a text that it could not take, or ends that. The value below stays what it was. */
function mark(draft: DealDraft, { field, refusal }: FieldRefusal): DealDraft {
  const { [field]: _, ...refused } = draft.refused;
  return { ...draft, refused: refusal === null ? refused : { ...refused, [field]: refusal } };
}

/** Takes in what was typed. Typing back what the server has leaves nothing to send. */
export function type(draft: DealDraft, deal: Deal | null, { field, before, after }: FieldChange): DealDraft {
  const known = draft.typed[field];
  const inFlight = draft.attempt !== null && field in draft.attempt.fields;
  if (deal !== null && !inFlight && sameValue(savedValue(deal, field), after)) return drop(draft, field);
  // Who began to type before a change by somebody else came in has not seen it.
  const seen = deal === null ? 0 : sameValue(savedValue(deal, field), before) ? deal.version : OLDEST_VERSION;
  const typed: Typed = { value: after, version: known?.version ?? seen };
  return put(draft, field, known?.hold?.kind === 'conflict' ? { ...typed, hold: known.hold } : typed);
}

/**
 * What is to be sent now, or null. A new row waits for its name and dealership (product section 4) and until
 * nothing in it is refused; a change takes the fields that were typed on the same version.
 */
export function nextAttempt(draft: DealDraft, newKey: () => string): Attempt | null {
  if (draft.attempt !== null) return draft.attempt;
  const entries = entriesOf(draft);
  const free = entries.filter(([, { hold }]) => hold === undefined);
  if (draft.dealId === null) {
    const { customerName, dealershipId } = draft.typed;
    if (!customerName?.value || !dealershipId?.value || free.length < entries.length) return null;
  }
  const version = free[0]?.[1].version;
  if (version === undefined) return null;
  const sent = free.filter(([, typed]) => typed.version === version);
  return {
    idempotencyKey: draft.dealId === null ? draft.createKey : newKey(),
    version,
    fields: Object.fromEntries(sent.map(([field, { value }]) => [field, value])),
  };
}

/** The server took the attempt: what was typed over meanwhile stays, now on the new version. */
export function confirm(draft: DealDraft, deal: Deal): DealDraft {
  const sent = draft.attempt?.fields ?? {};
  const left = entriesOf(draft).flatMap(([field, typed]): [DealField, Typed][] => {
    if (!(field in sent))
      return [[field, draft.dealId === null ? { ...typed, version: deal.version } : typed]];
    return sameValue(sent[field] ?? null, typed.value) ? [] : [[field, { ...typed, version: deal.version }]];
  });
  return { ...draft, dealId: deal._id, typed: Object.fromEntries(left), attempt: null, problem: null };
}

/** Holds fields until their person has decided, and gives the attempt up. */
function hold(draft: DealDraft, holds: Fields<Hold>): DealDraft {
  const typed = entriesOf(draft).map(([field, entry]): [DealField, Typed] => {
    const reason = holds[field];
    return [field, reason === undefined ? entry : { ...entry, hold: reason }];
  });
  return { ...draft, typed: Object.fromEntries(typed), attempt: null, problem: null };
}

/**
 * Somebody else changed fields first: those that are named, or else all that were sent. A field that has by now what
 * was typed, sent by another tab for example, needs no decision.
 * @param current the row as it is now: whoever changed it last is named where nobody knows better
 */
export function conflict(draft: DealDraft, conflicts: readonly FieldConflict[], current: Deal): DealDraft {
  const { updatedByName, updatedAt } = current;
  const known = new Map(conflicts.map(({ field, byName, at }) => [field, { by: byName, at }]));
  const sent = Object.keys(draft.attempt?.fields ?? {});
  const named = sent.filter((field) => known.has(field));
  const holds = (named.length > 0 ? named : sent).map((field): [string, Hold] => [
    field,
    { kind: 'conflict', ...(known.get(field) ?? { by: updatedByName, at: updatedAt }) },
  ]);
  const asked = hold(draft, Object.fromEntries(holds));
  const agreed = entriesOf(asked).filter(
    ([field, { value, hold: reason }]) =>
      reason?.kind === 'conflict' && sameValue(savedValue(current, field), value),
  );
  return agreed.reduce((next, [field]) => drop(next, field), asked);
}

/**
 * The server refused: the fields it names with its words for each, or else everything that was sent, with its words
 * for what no cell shows or for all of it.
 */
export function refuse(
  draft: DealDraft,
  errors: Readonly<Record<string, string>>,
  message: string,
): DealDraft {
  const sent = Object.keys(draft.attempt?.fields ?? {});
  const named = sent.filter((field) => field in errors);
  const held = named.length > 0 ? named : sent;
  const [unseen] = Object.values(errors);
  const holds = held.map((field): [string, Hold] => [
    field,
    { kind: 'refused', message: errors[field] ?? unseen ?? message },
  ]);
  return hold(draft, Object.fromEntries(holds));
}

/** Keep mine: sent again over what the other person wrote, which has now been seen. */
export function keepMine(draft: DealDraft, field: DealField, deal: Deal): DealDraft {
  const typed = draft.typed[field];
  return typed === undefined ? draft : put(draft, field, { value: typed.value, version: deal.version });
}

/** Take theirs, or give up what was refused. */
export const giveUp = (draft: DealDraft, field: DealField): DealDraft => drop(draft, field);

/** Try again: nothing is held any more. Conflicts stay, they need a decision. */
export const release = (draft: DealDraft): DealDraft => ({
  ...draft,
  typed: Object.fromEntries(
    entriesOf(draft).map(([field, typed]) => [
      field,
      typed.hold?.kind === 'refused' ? { value: typed.value, version: typed.version } : typed,
    ]),
  ),
});
