import { newKey } from '../platform/ids.ts';

/**
 * Creates idempotency keys: the same content gets the same key, so that sending it again after a lost response executes
 * it once; other content gets a new key. Each form needs its own: `const [keyFor] = useState(createIntentionKeys)`.
 */
export function createIntentionKeys(): (sent: unknown) => string {
  let last = { sent: '', key: '' };
  return (sent) => {
    const text = JSON.stringify(sent);
    if (text !== last.sent) last = { sent: text, key: newKey() };
    return last.key;
  };
}
