import type { ChangeKind } from '@forecourt/contract/change-kinds';

/** Returns 128 random bits as hexadecimal text, for idempotency keys and tab ids. Works without a secure context. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A change set of deals in a request: its kind and a key. Without a key, a minute's changes are one set. */
export type NewChangeSet = Exclude<ChangeKind, 'api'> | `${ChangeKind} ${string}`;

/** The change sets of a step: each undo and redo names the set to which it belongs. */
export type StepSets = { readonly undo: () => NewChangeSet; readonly redo: () => NewChangeSet };

/** Returns functions that name the change set of each undo and redo. If `done` has no key, later ones refer to the first undo. */
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
