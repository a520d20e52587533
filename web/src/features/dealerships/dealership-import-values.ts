import { caselessKey, isAtMost } from '@forecourt/contract/characters';
import { MAX_CONTACTS, dealershipTextLimits } from '@forecourt/contract/dealership-limits';
import type { ImportedDealership } from '@forecourt/contract/dealerships';
import { EMAIL, MAX_EMAIL_LENGTH } from '@forecourt/contract/email-address';
import { tooLongMessage } from '@forecourt/contract/too-long';
import { texts } from '../../texts/dealership-import.ts';
import { texts as dealershipTexts } from '../../texts/dealerships.ts';
import { cellKey, type CellTexts } from '../../ui/import/cell-texts.ts';
import type { ColumnMatch, ImportField } from '../../ui/import/matched-columns.ts';
import type { PreviewLine } from '../../ui/import/preview-line.ts';
import type { TextTable } from '../../ui/import/text-table.ts';

export type Field = keyof typeof texts.fields;

export const importFields: readonly ImportField<Field>[] = [
  { field: 'name', label: texts.fields.name, aliases: ['Dealership', 'Dealership name', 'Dealer'] },
  { field: 'address', label: texts.fields.address, aliases: ['Street address', 'Location'] },
  {
    field: 'template',
    label: texts.fields.template,
    aliases: ['Default email template', 'Email template', 'Template'],
  },
  { field: 'contactName', label: texts.fields.contactName, aliases: ['Contact'] },
  { field: 'contactEmail', label: texts.fields.contactEmail, aliases: ['Email', 'Email address'] },
  { field: 'contactTemplate', label: texts.fields.contactTemplate },
  { field: 'to', label: texts.fields.to },
  { field: 'cc', label: texts.fields.cc },
];

const textLimits = { ...dealershipTextLimits, contactEmail: MAX_EMAIL_LENGTH } as const;

type Template = { readonly _id: string; readonly name: string };

type ImportGiven = {
  table: TextTable;
  match: ColumnMatch<Field>;
  edits: CellTexts;
  templates: readonly Template[];
  /** Template of dealerships whose lines have none; may be empty. */
  usualTemplateId: string;
  existing: readonly string[];
};

/** A dealership to add, and the line numbers of the dealership and of its contacts. */
type Found = { input: ImportedDealership; line: number; contactLines: number[] };

export type ImportPlan = {
  lines: PreviewLine<Field>[];
  dealerships: Found[];
  leftOut: number;
  wrong: number;
};

type Cells = { [field in Field]: string };
type Line = { number: number; cells: Cells; errors: { [field in Field]?: string }; leftOut: string | null };

/** Returns the records to add, the errors of each line, and the excluded lines. */
export function importPlan({
  table,
  match,
  edits,
  templates,
  usualTemplateId,
  existing,
}: ImportGiven): ImportPlan {
  const byName = new Map(templates.map((template) => [caselessKey(template.name), template]));
  const existingKeys = new Set(existing.map(caselessKey));
  const lines = table.lines.map(({ number, cells }): Line => {
    const read = (field: Field): string =>
      (edits[cellKey(number, field)] ?? cells[match[field] ?? -1] ?? '').replace(/\s+/g, ' ');
    return {
      number,
      cells: Object.fromEntries(importFields.map(({ field }) => [field, read(field)])) as Cells,
      errors: {},
      leftOut: null,
    };
  });
  const groups = Map.groupBy(lines, ({ cells }) => caselessKey(cells.name.trim()));

  const dealerships: Found[] = [];
  let leftOut = 0;
  for (const [key, group] of groups) {
    if (key === '') for (const { errors } of group) errors.name = dealershipTexts.nameRequired;
    else if (existingKeys.has(key)) {
      leftOut += 1;
      for (const line of group) line.leftOut = texts.exists;
    } else dealerships.push(dealershipOf(group));
  }
  const wrong = lines.reduce((count, { errors }) => count + Object.keys(errors).length, 0);
  return { lines, dealerships, leftOut, wrong };

  function dealershipOf(group: Line[]): Found {
    const [first] = group as [Line];
    const address = sharedValue(group, 'address');
    if (!address) first.errors.address = dealershipTexts.addressRequired;
    const template = sharedValue(group, 'template');
    const matchingTemplate = template ? byName.get(caselessKey(template.text)) : undefined;
    const usual = templates.find(({ _id }) => _id === usualTemplateId);
    if (template && !matchingTemplate) template.line.errors.template = texts.noTemplate;
    if (!template && !usual) first.errors.template = dealershipTexts.templateRequired;
    const ownTemplate = matchingTemplate ?? usual;
    limitLengths(group);

    const withContact = group.filter(
      ({ cells }) => cells.contactName + cells.contactEmail + cells.contactTemplate !== '',
    );
    const tooMany = withContact[MAX_CONTACTS];
    if (tooMany) tooMany.errors.contactName = texts.tooManyContacts;
    return {
      input: {
        name: first.cells.name.trim(),
        address: address?.text ?? '',
        defaultEmailTemplateId: ownTemplate?._id ?? '',
        active: true,
        contacts: withContact.map((line) => contactOf(line, ownTemplate?.name ?? '')),
      },
      line: first.number,
      contactLines: withContact.map(({ number }) => number),
    };
  }

  function contactOf({ cells, errors }: Line, usual: string): ImportedDealership['contacts'][number] {
    const [name, email] = [cells.contactName.trim(), cells.contactEmail.trim()];
    if (name === '') errors.contactName = dealershipTexts.contactNameRequired;
    if (!EMAIL.test(email)) errors.contactEmail = dealershipTexts.contactEmailInvalid;
    const template = byName.get(caselessKey(cells.contactTemplate.trim()));
    if (cells.contactTemplate !== '' && !template) errors.contactTemplate = texts.noTemplate;
    const [to, cc] = [flagOf(cells.to), flagOf(cells.cc)];
    if (to === undefined) errors.to = texts.yesOrNo;
    if (cc === undefined) errors.cc = texts.yesOrNo;
    return {
      name,
      email,
      templateName: template?.name ?? usual,
      // A contact with neither mark is in To.
      includeInTo: to ?? cc !== true,
      includeInCc: cc ?? false,
      active: true,
    };
  }
}

/** Returns the first value of a column in the lines of a dealership. Lines with other values get an error. */
function sharedValue(group: Line[], field: 'address' | 'template'): { text: string; line: Line } | undefined {
  const filled = group.filter(({ cells }) => cells[field].trim() !== '');
  const [line, ...others] = filled;
  if (!line) return undefined;
  const text = line.cells[field].trim();
  for (const other of others) {
    if (caselessKey(other.cells[field].trim()) !== caselessKey(text))
      other.errors[field] = texts.differs(line.number);
  }
  return { text, line };
}

function limitLengths(group: Line[]): void {
  for (const { cells, errors } of group) {
    for (const [field, max] of Object.entries(textLimits) as [keyof typeof textLimits, number][]) {
      if (!isAtMost(cells[field], max)) errors[field] = tooLongMessage(max);
    }
  }
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'to', 'cc', '✓']);
const NO = new Set(['no', 'n', 'false', '0', '-']);

/** Returns null for an empty text, and undefined if it is neither yes nor no. */
function flagOf(text: string): boolean | null | undefined {
  const word = text.trim().toLowerCase();
  if (word === '') return null;
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

const FIELD_OF: Readonly<Record<string, Field>> = {
  name: 'name',
  address: 'address',
  defaultEmailTemplateId: 'template',
  'contacts.name': 'contactName',
  'contacts.email': 'contactEmail',
  'contacts.templateName': 'contactTemplate',
};

/** Maps errors of the server, such as `dealerships.3.contacts.0.email`, to cells. */
export function refusedCells(
  errors: Readonly<Record<string, string>>,
  dealerships: readonly Found[],
): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) {
    const [, index = '', ...rest] = path.split('.');
    const dealership = dealerships[Number(index)];
    const isContact = rest[0] === 'contacts' && rest.length === 3;
    const line = isContact ? dealership?.contactLines[Number(rest[1])] : dealership?.line;
    const field = FIELD_OF[isContact ? `contacts.${rest[2]}` : (rest[0] ?? '')] ?? 'name';
    if (line !== undefined) cells[cellKey(line, field)] = message;
  }
  return cells;
}
