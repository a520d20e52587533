import type { TemplateDocument } from '@forecourt/contract/email-templates';
import { cut } from '../../../platform/mail/cut.ts';
import { oneLineText } from './escaping.ts';
import { renderHtml } from './html.ts';
import { fill, Output } from './output.ts';
import type { Tables } from './table-of-deals.ts';
import { renderText } from './text.ts';

export { TooLarge } from './output.ts';

export type Rendered = { subject: string; html: string; text: string };

/** A longer subject is cut: a header has to fit its line. */
const MAX_SUBJECT = 300;

/**
 * A message from its template, in linear time and without any template language (product.md section 6). Every
 * value is escaped for the place it stands in. Throws TooLarge.
 */
export function render(
  template: { subject: string; document: TemplateDocument },
  values: Map<string, string>,
  tables: Tables = new Map(),
): Rendered {
  const line = new Output();
  fill(line, template.subject, values, (text) => text);
  const subject = cut(oneLineText(line.toString()), MAX_SUBJECT);
  return {
    subject,
    html: renderHtml(template.document, values, tables, subject),
    text: renderText(template.document, values, tables),
  };
}
