import type { CustomKey, CustomLink } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { fixedLinks, linkNames, type FixedLink } from '@forecourt/contract/variable-links';
import { useDealOptions } from '../../../platform/deal-options.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/email-templates.ts';
import { keyFromLabel } from './variable-keys.ts';

/** The default keys that are not made of the name of the field. */
const otherKeys: { readonly [link in FixedLink]?: string } = {
  'deal.itemsTable': 'itemsTable',
  'deal.costAmount': 'costAmount',
  'deal.status': 'dealStatus',
  'deal.owner': 'dealOwner',
  'deal.month': 'dealMonth',
  'deals.table': 'deals',
  'deals.tableWithItems': 'dealsWithItems',
  'deals.count': 'dealCount',
  'sender.name': 'senderName',
  'sender.email': 'senderEmail',
  today: 'today',
};
const usualKey = (link: FixedLink): string => otherKeys[link] ?? keyFromLabel(linkNames[link]);

type CustomFields = readonly Pick<VisibleCustomField, 'key' | 'name'>[];
export function useCustomFields(): CustomFields {
  const { data } = useDealOptions(usePermissions().page('dataEntry'));
  return data?.customFields ?? NONE;
}
const NONE: CustomFields = [];

export const customLink = (key: CustomKey): CustomLink => `deal.${key}`;

const groups = new Set<string>(Object.keys(texts.categories));
const isCategory = (text: string | undefined): text is TemplateVariable['category'] =>
  text !== undefined && groups.has(text);

/** Returns the group of a field, which is its prefix. */
export function categoryOf(linked: LinkedData | null): TemplateVariable['category'] {
  const record = linked?.split('.')[0];
  return isCategory(record) ? record : 'other';
}

const catalogueVariable = (linkedData: FixedLink): TemplateVariable =>
  newVariable(linkedData, usualKey(linkedData), linkNames[linkedData]);

const newVariable = (linkedData: LinkedData | null, key: string, label: string): TemplateVariable => ({
  key,
  label,
  category: categoryOf(linkedData),
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

export function undeclaredFields(
  declared: readonly TemplateVariable[],
  customFields: CustomFields,
): readonly TemplateVariable[] {
  const taken = new Set(declared.flatMap(({ key, linkedData }) => [key, linkedData]));
  const custom = customFields.map(({ key, name }) => {
    const usual = keyFromLabel(name);
    // The name has no Latin letter, or another variable has its key.
    const isFree = usual !== '' && !taken.has(usual) && fixedLinks.every((link) => usualKey(link) !== usual);
    return newVariable(customLink(key), isFree ? usual : key, name);
  });
  const fixed = fixedLinks.map(catalogueVariable);
  return [
    ...fixed.filter(({ category }) => category === 'deal'),
    ...custom,
    ...fixed.filter(({ category }) => category !== 'deal'),
  ].filter(({ key, linkedData }) => !taken.has(key) && !taken.has(linkedData));
}

/** Returns the variable for an undeclared key: linked to the field with this default key, otherwise custom. */
export function variableForKey(key: string): TemplateVariable {
  const linked = fixedLinks.find((link) => usualKey(link) === key);
  return linked ? catalogueVariable(linked) : newVariable(null, key, key);
}
