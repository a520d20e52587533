import { typeOf, type FieldType } from '@forecourt/contract/deal-fields';
import type { HistoryEntry, HistoryValue } from '@forecourt/contract/deals';
import {
  formatDateTime,
  formatBusinessDate,
  formatMoney,
  formatMonth,
  formatPercent,
} from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as common } from '../../../texts/deals.ts';
import { texts as timelineTexts } from '../../../texts/timeline.ts';
import { formatCustom } from '../custom/custom-values.ts';
import { formatPricedItems } from '../items/deal-items.ts';

type Change = HistoryEntry['changes'][number];

/** Returns the name of the field of a change. */
export const nameOf = ({ field, custom }: { field: string; custom?: { name: string } | undefined }): string =>
  custom?.name ??
  ({ ...common.columns, ...texts.fields } as Readonly<Record<string, string>>)[field] ??
  field;

const FORMATS: { readonly [type in FieldType]?: (value: never, timeZone: string) => string } = {
  currency: formatMoney,
  percent: formatPercent,
  date: formatBusinessDate,
  time: formatDateTime,
  month: formatMonth,
};

/** Formats a value like its cell. */
function changeText({ field, custom }: Change, value: HistoryValue, timeZone: string): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return timelineTexts.empty;
  if (Array.isArray(value)) {
    return value
      .map((entry) => ('itemId' in entry ? formatPricedItems([entry]) : shareText(entry)))
      .join(', ');
  }
  if (custom) return formatCustom(custom.type, value);
  return FORMATS[typeOf(field, []) ?? 'text']?.(value as never, timeZone) ?? String(value);
}

const shareText = ({ name, permissions }: { name: string; permissions: 'view' | 'write' }): string =>
  texts.withLevel[permissions](name);

/** Returns field name and values of a change as texts. `isNew`: there was no value before. */
export const describeChange = (change: Change, isNew: boolean, timeZone: string) => ({
  name: nameOf(change),
  before: isNew ? null : changeText(change, change.before, timeZone),
  after: changeText(change, change.after, timeZone),
});
