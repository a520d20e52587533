import type { EmailTemplateInput, SimpleBlock } from '@forecourt/contract/email-templates';
import { placeholderProblems } from '@forecourt/contract/template-keys';
import { invalid } from '../../platform/http/errors.ts';
import { simpleBlocksOf } from './template-content.ts';

/** Maximum bytes of a document as JSON (docs/product/security.md, Documents and messages are bounded). */
const MAX_BYTES = 256 * 1024;

/**
 * Validates a template. Throws a 400 that names the field: for a document that is too large, and for a key that is
 * declared twice. For an active template also for a button without text, and for a placeholder that is malformed, not
 * declared, or in a place where it is not replaced.
 */
export function checkTemplate(input: EmailTemplateInput): void {
  const issues: { path: PropertyKey[]; message: string }[] = [];
  if (Buffer.byteLength(JSON.stringify(input.document)) > MAX_BYTES) {
    issues.push({ path: ['document'], message: 'Must be at most 256 KB' });
  }
  const declared = new Set<string>();
  for (const [index, { key }] of input.variables.entries()) {
    if (declared.has(key))
      issues.push({ path: ['variables', index, 'key'], message: `${key} is declared twice` });
    declared.add(key);
  }
  if (input.status === 'active') {
    if (simpleBlocksOf(input.document).some(isButtonWithoutText)) {
      issues.push({ path: ['document'], message: 'A button has no text' });
    }
    for (const { field, message } of placeholderProblems(input)) issues.push({ path: [field], message });
  }
  if (issues.length > 0) throw invalid(issues);
}

const isButtonWithoutText = (block: SimpleBlock): boolean =>
  block.type === 'button' &&
  block.content.every((inline) => inline.type === 'text' && inline.text.trim() === '');
