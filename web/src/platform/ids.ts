/** Returns 128 random bits as hexadecimal text: an idempotency key or a tab id. Works without a secure context. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
