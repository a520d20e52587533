import { firstCharacters } from '@forecourt/contract/characters';
import type { TemplateDocument } from '@forecourt/contract/email-templates';
import { oneLineText } from './escaping.ts';
import { renderHtml } from './html.ts';
import { fill, Output } from './output.ts';
import type { Tables } from './table-of-deals.ts';
import { renderText } from './text.ts';

export { TooLarge } from './output.ts';

export type Rendered = { subject: string; html: string; text: string };

/** A longer subject is truncated to fit a header line. */
const MAX_SUBJECT = 300;

/**
 * Renders a message from its template, in linear time and without a template language (docs/product/email.md,
 * Templates). Every value is escaped for its context. Throws TooLarge.
 */
export function render(
  template: { subject: string; document: TemplateDocument },
  values: Map<string, string>,
  tables: Tables = new Map(),
): Rendered {
  const line = new Output();
  fill(line, template.subject, values, (text) => text);
  const subject = firstCharacters(oneLineText(line.toString()), MAX_SUBJECT);
  return {
    subject,
    html: renderHtml(template.document, values, tables, subject),
    text: renderText(template.document, values, tables),
  };
}
