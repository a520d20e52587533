import type { CustomLink } from '@forecourt/contract/custom-field-types';
import type { EmailTemplateInput, TemplateVariable } from '@forecourt/contract/email-templates';
import { keysUsed } from '../email-templates/email-templates.service.ts';
import { isDealLink, mailedField, type DealLink } from './deal-fields.ts';
import { dealTableFields } from './value-tables.ts';

/** Returns the variables used in a template, as opposed to those only declared. */
export function usedVariables({
  subject,
  document,
  variables,
}: Pick<EmailTemplateInput, 'subject' | 'document' | 'variables'>): TemplateVariable[] {
  const used = keysUsed(subject, document);
  const keys = new Set([...used.subject, ...used.document]);
  return variables.filter(({ key }) => keys.has(key));
}

/** Returns the deal fields whose change makes a message of this template outdated, such as `saleAmount`. */
export function dealFieldsIn(content: EmailTemplateInput): string[] {
  const links = usedVariables(content).flatMap(({ linkedData }): readonly (DealLink | CustomLink)[] =>
    isDealLink(linkedData) ? [linkedData] : dealTableFields(linkedData),
  );
  return [...new Set(links.flatMap((link) => mailedField(link).changesWith))];
}
