import type { ChangeDetail, ChangeSet } from '@forecourt/contract/deal-changes';
import { texts } from '../../../texts/changes.ts';
import { fieldInSentence } from '../../../texts/deal-actions.ts';

/** Further fields are counted. */
const MAX_FIELDS = 4;

/** Fields computed from another one, which is named instead. */
const COMPUTED = new Set<string>(['grossProfit', 'commission', 'commissionRate']);

function fieldsOf({ fields, customFields }: Pick<ChangeDetail, 'fields' | 'customFields'>): string[] {
  const typed = fields.filter((field) => !COMPUTED.has(field));
  const names = [...(typed.length > 0 ? typed : fields).map(fieldInSentence), ...customFields];
  const more = names.length - MAX_FIELDS;
  return more > 1 ? [...names.slice(0, MAX_FIELDS), texts.moreFields(more)] : names;
}

const detailText = (detail: ChangeDetail): string =>
  [detail.customerName ?? texts.someRow, ...(detail.isNew ? [texts.added] : fieldsOf(detail))].join(', ');

/** Returns a change set as one line. Typed changes name rows and fields, actions on many rows only fields. */
export function titleOf({ kind, title, details, rows, added, changed }: ChangeSet): string {
  if (details.length === 0) return title;
  if (['edit', 'api'].includes(kind) && added + changed === rows) {
    const more = rows - details.length;
    const subjects = [...details.map(detailText), ...(more > 0 ? [texts.moreRows(more)] : [])];
    return texts.line(texts.kinds[kind], subjects.join('; '));
  }
  const fields = fieldsOf({
    fields: [...new Set(details.flatMap((detail) => detail.fields))],
    customFields: [...new Set(details.flatMap((detail) => detail.customFields))],
  });
  return changed === 0 || fields.length === 0 ? title : texts.line(title, fields.join(', '));
}
