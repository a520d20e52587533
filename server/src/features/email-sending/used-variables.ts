import type { EmailTemplateInput, LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { keysUsed } from '../email-templates/email-templates.service.ts';
import { isDealLink, mailedField } from './deal-fields.ts';
import { dealTableFields } from './value-tables.ts';

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

/** Whether a link names the deal's dealership or one of its contacts. */
const isDealershipLink = (link: LinkedData | null): boolean =>
  link === 'contact.name' || link?.startsWith('dealership.') === true;

/** Returns the deal fields, such as `saleAmount`, whose change makes a sent message of this template outdated. */
export function dealFieldsIn(content: EmailTemplateInput): string[] {
  const fields = usedVariables(content).flatMap(({ linkedData }): readonly string[] => {
    if (isDealershipLink(linkedData)) return ['dealershipId'];
    const links = isDealLink(linkedData) ? [linkedData] : dealTableFields(linkedData);
    return links.flatMap((link) => mailedField(link).changesWith);
  });
  return [...new Set(fields)];
}
