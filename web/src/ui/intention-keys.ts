import { newKey } from '../platform/ids.ts';

/**
 * Gives each intention to write its idempotency key: trying the same again, after an answer that got lost, has the
 * same key and is done once; anything else that is sent is a new intention. Make one for each form:
 * `const [keyFor] = useState(createIntentionKeys)`.
 */
export function createIntentionKeys(): (sent: unknown) => string {
  let last = { sent: '', key: '' };
  return (sent) => {
    const text = JSON.stringify(sent);
    if (text !== last.sent) last = { sent: text, key: newKey() };
    return last.key;
  };
}
