import type { EmailTemplateInput, LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { keysUsed } from '../email-templates/email-templates.service.ts';
import { TABLE_FIELDS } from './deal-table.ts';

/** The variables that stand in a template, not only in its list of them. */
export function usedVariables({ subject, document, variables }: EmailTemplateInput): TemplateVariable[] {
  const used = keysUsed(subject, document);
  const keys = new Set([...used.subject, ...used.document]);
  return variables.filter(({ key }) => keys.has(key));
}

/** Only one deal can fill it in. */
export const isOfDeal = (linkedData: LinkedData | null) => linkedData?.startsWith('deal.') === true;

/** The fields of its deals that a message of this template tells, such as `saleAmount`. */
export function dealFieldsIn(content: EmailTemplateInput): string[] {
  const fields = usedVariables(content).flatMap(({ linkedData }) => {
    if (linkedData === 'deals.table') return TABLE_FIELDS;
    return isOfDeal(linkedData) ? linkedData!.slice('deal.'.length) : [];
  });
  return [...new Set(fields)];
}
