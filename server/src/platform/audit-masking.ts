/** Fields that hold a secret, wherever they are. */
const SECRET = /password$|passphrase|privatekey|secret|token|recoverycodes?$|apikey/i;

/** What may be said of a secret without telling it. */
const SAID = new Set<unknown>(['changed', 'chosen by link', null, undefined, true, false]);

/**
 * For `JSON.stringify`: puts three dots where a secret would go into the log. Callers leave secrets out; this is for
 * the one that forgets.
 */
export const maskSecrets = (key: string, value: unknown): unknown =>
  SECRET.test(key) && !SAID.has(value) ? '•••' : value;
