import type { ChangeKind } from '@forecourt/contract/change-kinds';

/** Returns 128 random bits as hexadecimal text: an idempotency key or a tab id. Works without a secure context. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A change set of deals as the calls of its writes name it: its kind, and a key unless it is that of a minute. */
export type NewChangeSet = Exclude<ChangeKind, 'api'> | `${ChangeKind} ${string}`;

export const newChangeSet = (kind: Exclude<ChangeKind, 'api'>): NewChangeSet => `${kind} ${newKey()}`;
