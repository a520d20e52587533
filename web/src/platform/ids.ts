/** 128 random bits as hexadecimal text: an idempotency key, or the name of a tab. Needs no secure context. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
