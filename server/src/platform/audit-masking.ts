/** Names of fields that hold a secret, in any entity. */
const SECRET = /password$|passphrase|privatekey|secret|token|recoverycodes?$|apikey/i;

/** Values of a secret field that reveal nothing and are logged unmasked. */
const UNMASKED = new Set<unknown>(['changed', 'chosen by link', null, undefined, true, false]);

/** A `JSON.stringify` replacer that masks secrets with three dots. Callers leave secrets out of audit entries; this catches omissions. */
export const maskSecrets = (key: string, value: unknown): unknown =>
  SECRET.test(key) && !UNMASKED.has(value) ? '•••' : value;
