import type { ChangeKind } from '@forecourt/contract/change-kinds';

/** Returns 128 random bits as hexadecimal text: an idempotency key or a tab id. Works without a secure context. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A change set of deals as the calls of its writes name it: its kind, and a key unless it is that of a minute. */
export type NewChangeSet = Exclude<ChangeKind, 'api'> | `${ChangeKind} ${string}`;

/** The change sets of a step: each undo and redo names what it belongs to. */
export type StepSets = { readonly undo: () => NewChangeSet; readonly redo: () => NewChangeSet };

/**
 * Returns the change sets of an undo step that was done with this one. That of a minute has no key: the first undo is
 * then what the others belong to.
 */
export function createStepSets(done: NewChangeSet): StepSets {
  const [kind] = done.split(' ') as [Exclude<ChangeKind, 'api'>];
  let first = done === kind ? undefined : done;
  const next = (of: Exclude<ChangeKind, 'api'>) => (): NewChangeSet => {
    const set = newChangeSet(of);
    const named: NewChangeSet = first === undefined ? set : `${set as `${ChangeKind} ${string}`} ${first}`;
    first ??= set;
    return named;
  };
  return { undo: next('undo'), redo: next(kind) };
}

export const newChangeSet = (kind: Exclude<ChangeKind, 'api'>): NewChangeSet => `${kind} ${newKey()}`;
