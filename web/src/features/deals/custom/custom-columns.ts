import { customTextLimits, type CustomKey } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { CellValue, GridColumn } from '../../../grid/grid.ts';
import { createStore } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/custom-values.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { customCell, oneLine, type DealOptions } from '../deal-fields.ts';
import { valueOf, type DealRow } from '../deal-row.ts';
import { lastName } from '../listed-names.ts';
import {
  chosenIds,
  formatCustom,
  optionChoices,
  parseLink,
  parseNumber,
  parseOptions,
  parsePercent,
  parseTick,
  TICK,
} from './custom-values.ts';

type Column = GridColumn<DealRow>;

/** The cell whose list is edited or whose checkbox is to be changed. Set by a cell, read beside the table. */
export const customInEdit = createStore<{ readonly key: string; readonly field: CustomKey } | null>(null);

type Parts = Omit<Column, 'id' | 'header' | 'get' | 'format'> & {
  readonly show: (value: string | number) => string;
};

/** Returns the properties of a column that depend on the field's type. */
function partsOf({ key, type, options }: VisibleCustomField, { people, owners }: DealOptions): Parts {
  const format = (value: string | number): string => formatCustom(type, value);
  const open = (row: DealRow): void => customInEdit.set({ key: row.key, field: key });
  switch (type) {
    case 'text':
      return { type: 'text', size: 160, maxLength: customTextLimits.text, show: format };
    case 'longText':
      return {
        type: 'multiline',
        size: 240,
        maxLength: customTextLimits.longText,
        show: oneLine,
      };
    case 'number':
      return { type: 'number', size: 108, parse: parseNumber, toText: String, show: format };
    case 'percent':
      return { type: 'number', size: 92, parse: parsePercent, toText: format, show: format };
    case 'currency':
      return { type: 'currency', size: 112, show: format };
    case 'date':
      return { type: 'date', size: 108, show: format };
    case 'checkbox':
      return {
        type: 'select',
        size: 92,
        options: [{ value: TICK, label: texts.yes }],
        parse: parseTick,
        toText: () => texts.yes,
        show: () => texts.ticked,
        open,
      };
    case 'select': {
      const names = new Map<unknown, string>(options.map(({ id, name }) => [id, name]));
      const places = new Map<unknown, number>(options.map(({ id }, at) => [id, at]));
      const show: Parts['show'] = (value) => names.get(value) ?? texts.removedOption;
      return {
        type: 'select',
        size: 140,
        options: optionChoices(options),
        // The order is the server's.
        rank: (value) => places.get(value) ?? options.length,
        toText: show,
        show,
      };
    }
    case 'multiSelect': {
      const names = new Map(options.map(({ id, name }) => [id, name]));
      const show: Parts['show'] = (value) =>
        chosenIds(value)
          .map((id) => names.get(id) ?? texts.removedOption)
          .join(', ');
      const offered = options.filter(({ active }) => active);
      return {
        type: 'select',
        size: 168,
        options: optionChoices(options),
        lastOption: (text) => lastName(text, offered),
        parse: (text, present) => parseOptions(text, options, present),
        toText: show,
        show,
        open,
      };
    }
    case 'person': {
      // Owners include deactivated users.
      const names = new Map<unknown, string>([...owners, ...people].map(({ _id, name }) => [_id, name]));
      const show: Parts['show'] = (value) => names.get(value) ?? texts.formerPerson;
      return {
        type: 'select',
        size: 140,
        options: namedChoices(people),
        toText: show,
        show,
      };
    }
    case 'link':
      return { type: 'text', size: 180, parse: parseLink, inputMode: 'url', show: format };
    default:
      return type satisfies never;
  }
}

/** Whether a new row will get the default of a field. */
const getsDefault = ({ deal, draft }: DealRow, key: CustomKey): boolean =>
  deal === null && draft !== undefined && draft.typed[key] === undefined;

/** Returns the default of a field as a cell value; null if there is none. */
export const defaultCell = ({ defaultValue }: VisibleCustomField): CellValue =>
  defaultValue === null || defaultValue === false ? null : customCell(defaultValue);

/** Returns the columns of visible custom fields in display order (docs/product/custom-fields.md). */
export const customColumns = (options: DealOptions): readonly Column[] =>
  options.customFields.map((field) => {
    const { key, name, editable } = field;
    const { show, ...parts } = partsOf(field, options);
    const initial = defaultCell(field);
    return {
      ...parts,
      id: key,
      header: name,
      get: (row) => valueOf(row, key),
      format(value, row) {
        const displayed = value ?? (getsDefault(row, key) ? initial : null);
        return displayed === null ? '' : show(displayed);
      },
      ...(!editable && { blockedReason: () => texts.administratorsOnly(name) }),
    };
  });
