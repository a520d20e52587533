import type { EmailTemplateInput, TemplateVariable } from '@forecourt/contract/email-templates';
import { keysUsed } from '../email-templates/email-templates.service.ts';
import { linkedValue } from './variables.ts';

/** Returns the variables that a template uses; it may declare more. */
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
export const dealFieldsIn = (content: EmailTemplateInput): string[] => [
  ...new Set(
    usedVariables(content).flatMap(({ linkedData }) =>
      linkedData === null ? [] : linkedValue(linkedData).changesWith,
    ),
  ),
];
