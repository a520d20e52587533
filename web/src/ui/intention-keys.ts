import { newKey } from '../platform/ids.ts';

/**
 * Creates idempotency keys per intention: sending the same content again, after a lost response, uses the same key and
 * is executed once; other content gets a new key. Create one per form: `const [keyFor] = useState(createIntentionKeys)`.
 */
export function createIntentionKeys(): (sent: unknown) => string {
  let last = { sent: '', key: '' };
  return (sent) => {
    const text = JSON.stringify(sent);
    if (text !== last.sent) last = { sent: text, key: newKey() };
    return last.key;
  };
}
