import type { AuditLogEntry } from '@forecourt/contract/audit';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { recordKinds, type KindOfRecord } from '@forecourt/contract/record-kinds';
import { texts } from '../../texts/audit.ts';
import { workName } from '../../texts/jobs.ts';

/** For example `customer name` for `customerName`. */
export const fieldText = (field: string): string =>
  isCustomKey(field)
    ? texts.customField
    : field
        .replace(/Id$/, '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('.', ' ')
        .toLowerCase();

/** A sentence names this many fields and counts the others. */
const NAMED = 3;

/** Returns the fields that differ: an entry may also contain unchanged values. */
export const changedFields = ({ before, after }: AuditLogEntry): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  );

function fieldsOf(entry: AuditLogEntry): string {
  const fields = [...new Set(changedFields(entry).map(fieldText))];
  if (fields.length === 0 || entry.after === null) return '';
  const named = fields.slice(0, NAMED);
  const more = fields.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  return `${all.length > 1 ? `${all.slice(0, -1).join(', ')} and ` : ''}${all.at(-1)} of `;
}

/** Fields whose value names a deleted record. */
const NAME_FIELDS = ['customerName', 'name', 'email', 'subject', 'kind'] as const;

export function recordName({ recordName: name, before, after }: AuditLogEntry): string {
  if (name !== null) return name;
  for (const values of [after, before])
    for (const field of NAME_FIELDS) {
      const value = values?.[field];
      if (typeof value === 'string' && value !== '') return value;
    }
  return '';
}

const kindOf = (entity: string): string =>
  entity in recordKinds ? recordKinds[entity as KindOfRecord].one : entity;

/** Returns an entry as a sentence: `Ada Admin changed notes and status of deal Ann Example`. */
export function sentenceOf(entry: AuditLogEntry): string {
  const { actorName, action, entity } = entry;
  const verb = action.split('.')[1] ?? action;
  const name = entity === 'job' ? workName(recordName(entry)) : recordName(entry);
  if (action in texts.whole) {
    const isOwn = action === 'session.started' || action === 'session.ended';
    const about = action === 'session.refused' ? 'of' : '';
    return [actorName, texts.whole[action], ...(isOwn || name === '' ? [] : [about, name])]
      .filter(Boolean)
      .join(' ');
  }
  const fields = verb === 'updated' ? fieldsOf(entry) : '';
  return [actorName, texts.verbs[verb] ?? verb.replaceAll('-', ' '), `${fields}${kindOf(entity)}`, name]
    .filter(Boolean)
    .join(' ');
}

type Option = { name: string; active: boolean };
const isOption = (value: unknown): value is Option =>
  typeof value === 'object' && value !== null && 'name' in value && 'active' in value;

/** Formats a value of an entry: names for ids, texts for booleans, other values unchanged. */
export function valueText(value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'string') return names[value] ?? value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => names[one] ?? one).join(', ') || texts.nothing;
  if (Array.isArray(value) && value.every(isOption))
    return value.map(({ name, active }) => (active ? name : texts.notOffered(name))).join(', ');
  return JSON.stringify(
    value,
    (_, inner: unknown) => (typeof inner === 'string' ? (names[inner] ?? inner) : inner),
    2,
  );
}
