import { isCustomKey } from '@forecourt/contract/custom-field-types';
import {
  kindOf,
  MAX_FILTER_VALUES,
  operatorsOf,
  takesValue,
  type FilterField,
  type FilterKind,
  type FilterOperator,
  type FilterValue,
} from '@forecourt/contract/deal-filter-fields';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { parseNumber } from '../../../grid/grid.ts';
import { formatCount } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-filter.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { isDay } from '../../../ui/day-text.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { formatCustom, parsePercent } from '../custom/custom-values.ts';
import type { DealOptions } from '../deal-fields.ts';
import { statusClass } from '../deals.columns.tsx';
import { choicesOf, fieldName, valueNames, operatorKindOf } from '../views/filter-texts.ts';
import { withField, withOperator, type DraftCondition } from './filter-draft.ts';
import styles from './DealFilterPanel.module.css';

type FilterConditionFieldsProps = {
  /** The fields that the user may see. */
  fields: readonly FilterField[];
  options: DealOptions;
  label: string;
  condition: DraftCondition;
  /** The key of the focused condition, whose list of values is open. */
  opened: number | undefined;
  onOpen: (key: number | undefined) => void;
  /** Null removes the condition. */
  onChange: (condition: DraftCondition | null, isTyping?: boolean) => void;
};

/** Labels of the groups of built-in fields, by kind. */
const groupOfKind = {
  choice: 'state',
  flag: 'state',
  text: 'customer',
  choices: 'amounts',
  number: 'amounts',
  date: 'dates',
} as const;

/** Returns the fields as groups of a native select, in order. */
function columnChoices(fields: readonly FilterField[], options: DealOptions) {
  const groupOf = (field: FilterField) =>
    isCustomKey(field) ? 'custom' : groupOfKind[kindOf(field, options.customFields)];
  return [...Map.groupBy(fields, groupOf)].map(([group, members]) => ({
    group: texts.groups[group],
    items: members.map((value) => ({ value, label: fieldName(value, options) })),
  }));
}

export function FilterConditionFields({
  fields,
  options,
  label,
  condition,
  opened,
  onOpen,
  onChange,
}: FilterConditionFieldsProps): ReactNode {
  const { key, field, operator } = condition;
  const column = useRef<HTMLSelectElement>(null);
  const isOpened = opened === key;
  useEffect(() => {
    // When the panel opens, its focus trap focuses the field.
    const isInPanel = column.current?.closest('form')?.contains(document.activeElement);
    if (isOpened && isInPanel) column.current?.focus();
  }, [isOpened]);

  return (
    <div role="group" aria-label={label} className={styles.condition}>
      <NativeSelect
        ref={column}
        aria-label={texts.column}
        className={field === null ? styles.alone : undefined}
        data-autofocus={isOpened || undefined}
        value={field ?? ''}
        data={[
          ...(field === null ? [{ value: '', label: texts.chooseColumn }] : []),
          ...columnChoices(fields, options),
        ]}
        onChange={({ currentTarget }) =>
          onChange(
            withField(condition, (currentTarget.value || null) as FilterField | null, options.customFields),
          )
        }
      />
      {field !== null && (
        <NativeSelect
          aria-label={texts.operator}
          value={operator}
          data={operatorsOf(field, options.customFields).map((value) => ({
            value,
            label: texts.operators[operatorKindOf(field, options)][value] ?? value,
          }))}
          onChange={({ currentTarget }) =>
            onChange(withOperator(condition, currentTarget.value as FilterOperator, options.customFields))
          }
        />
      )}
      <span className={styles.remove}>
        <IconAction
          icon={X}
          label={texts.removeCondition}
          onClick={({ currentTarget }) => {
            focusAdd(currentTarget);
            onChange(null);
          }}
        />
      </span>
      {field !== null && takesValue(operator) && (
        <div className={styles.value}>
          <ValueFields
            // Keeps a typed text if another column or operator takes values of the same form.
            key={`${kindOf(field, options.customFields)} ${shapeOf(operator)} ${isCustomKey(field)}`}
            field={field}
            options={options}
            condition={condition}
            isOpened={isOpened}
            onOpen={(next) => onOpen(next ? key : undefined)}
            onChange={(value, isTyping) => onChange({ ...condition, value }, isTyping)}
          />
        </div>
      )}
    </div>
  );
}

/** Focuses the button that adds a condition, before the focused one is removed. */
export const focusAdd = (within: Element): void =>
  within.closest('form')?.querySelector<HTMLElement>('[data-add]')?.focus();

const shapeOf = (operator: FilterOperator): string =>
  operator === 'between' ? 'range' : operator.endsWith('Days') ? 'days' : 'one';

type Value = FilterValue | undefined;
type ValueProps = {
  field: FilterField;
  options: DealOptions;
  condition: DraftCondition;
  isOpened: boolean;
  onOpen: (isOpened: boolean) => void;
  onChange: (value: Value, isTyping: boolean) => void;
};

function ValueFields(props: ValueProps): ReactNode {
  const { field, options, condition, onChange } = props;
  const { operator, value } = condition;
  const kind = kindOf(field, options.customFields);
  if (kind === 'choice' || kind === 'choices') return <ChoiceList {...props} />;
  if (shapeOf(operator) === 'days')
    return (
      <span className="ui-line">
        <ParsedField label={texts.value} value={value} parse={parseDays} onChange={onChange} />
        <span className="ui-muted">{texts.days}</span>
      </span>
    );
  if (operator === 'between') return <RangeFields {...props} />;
  const Field = VALUE_FIELDS[fieldKind(kind, field)];
  return <Field label={texts.value} value={value} onChange={onChange} />;
}

type FieldProps = { label: string; value: Value; onChange: (value: Value, isTyping: boolean) => void };

const TextField = ({ label, value, onChange }: FieldProps): ReactNode => (
  <TextInput
    aria-label={label}
    autoComplete="off"
    value={String(value ?? '')}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined, true)}
  />
);

const AmountField = (props: FieldProps): ReactNode => <ParsedField {...props} parse={parseAmount} />;

const NumberField = (props: FieldProps): ReactNode => (
  <ParsedField {...props} parse={parseCustom} format={(value) => formatCustom('number', value)} />
);

const DateField = ({ label, value, onChange }: FieldProps): ReactNode => (
  <DayField
    aria-label={label}
    value={String(value ?? '')}
    onChange={(day) => onChange(isDay(day) ? day : undefined, false)}
  />
);

const VALUE_FIELDS = { text: TextField, number: AmountField, customNumber: NumberField, date: DateField };

const fieldKind = (kind: FilterKind, field: FilterField): keyof typeof VALUE_FIELDS =>
  kind === 'number' && isCustomKey(field) ? 'customNumber' : (kind as 'text' | 'number' | 'date');

type Parse = typeof parseNumber;

/** Parses an amount like the table, but gross profit can be negative and a percentage may have its sign. */
const parseAmount: Parse = (text) => {
  const [, minus, rest = ''] = /^([-−]?)(.*?)%?$/.exec(text.trim()) ?? [];
  const parsed = parseNumber(rest.trim());
  return parsed.ok && minus ? { ok: true, value: -Number(parsed.value) } : parsed;
};

/** Parses any number of a custom field like the table. */
const parseCustom: Parse = (text) => parsePercent(text.trim().replace('$', ''));

const parseDays: Parse = (text) =>
  /^[1-9]\d{0,3}$/.test(text.trim())
    ? { ok: true, value: Number(text) }
    : { ok: false, message: texts.badDays };

/** A number as text. Invalid text stays, with the reason after the field is left. */
function ParsedField({
  label,
  value,
  parse,
  format = formatCount,
  onChange,
}: FieldProps & { parse: Parse; format?: (value: number) => string }): ReactNode {
  const [typed, setTyped] = useState(typeof value === 'number' ? format(value) : '');
  const [isLeft, setLeft] = useState(false);
  const read = parse(typed);
  const isShown = isLeft && typed.trim() !== '';
  return (
    <TextInput
      aria-label={label}
      autoComplete="off"
      inputMode="decimal"
      value={typed}
      error={isShown && !read.ok && read.message}
      onBlur={() => setLeft(true)}
      onChange={({ currentTarget: { value: text } }) => {
        const next = parse(text);
        setTyped(text);
        setLeft(false);
        onChange(next.ok ? Number(next.value) : undefined, true);
      }}
    />
  );
}

function RangeFields({ field, options, condition: { value }, onChange }: ValueProps): ReactNode {
  const [ends, setEnds] = useState<readonly Value[]>(Array.isArray(value) ? value : []);
  const [from, to] = ends;
  const Field = VALUE_FIELDS[fieldKind(kindOf(field, options.customFields), field)];
  const set = (first: Value, last: Value, isTyping: boolean): void => {
    setEnds([first, last]);
    const range = first === undefined || last === undefined ? undefined : ([first, last] as FilterValue);
    onChange(range, isTyping);
  };
  return (
    <>
      <div className={styles.range}>
        <Field label={texts.from} value={from} onChange={(end, isTyping) => set(end, to, isTyping)} />
        <span className="ui-muted">{texts.joints.all}</span>
        <Field label={texts.to} value={to} onChange={(end, isTyping) => set(from, end, isTyping)} />
      </div>
      {from !== undefined && to !== undefined && from > to && (
        <p role="alert" className="ui-small ui-danger">
          {texts.badRange}
        </p>
      )}
    </>
  );
}

/** A longer list has a search. */
const MAX_UNSEARCHED = 8;

/** The chosen values, and a list of all values. */
function ChoiceList({ field, options, condition, isOpened, onOpen, onChange }: ValueProps): ReactNode {
  const chosen = Array.isArray(condition.value) ? condition.value.map(String) : [];
  const [search, setSearch] = useState('');
  const choices = choicesOf(field, options);
  const searchText = search.trim().toLowerCase();
  const matches = choices.filter(({ label }) => label.toLowerCase().includes(searchText));
  const toggle = (id: string): void => {
    const next = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
    onChange(next.length === 0 ? undefined : next, false);
  };
  return (
    <>
      <Button
        variant="default"
        justify="space-between"
        fullWidth
        rightSection={<ChevronDown size={14} />}
        aria-expanded={isOpened}
        onClick={() => onOpen(!isOpened)}
      >
        <span className="ui-ellipsis">
          {chosen.length === 0 ? texts.chooseValues : valueNames(field, chosen, options)}
        </span>
      </Button>
      {isOpened && (
        <div className={`ui-stack ui-gap-2 ${styles.choices}`}>
          {choices.length > MAX_UNSEARCHED && (
            <TextInput
              type="search"
              aria-label={texts.searchValues}
              placeholder={texts.searchValues}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              onKeyDown={(event) => {
                const [first] = matches;
                if (event.key !== 'Enter' || searchText === '' || !first) return;
                event.preventDefault();
                toggle(first.value);
                setSearch('');
              }}
            />
          )}
          <div role="group" aria-label={texts.values(fieldName(field, options))} className={styles.list}>
            {matches.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={
                  field === 'status' ? (
                    <span className={`deal-status-option ${statusClass(options.statuses, label)}`}>
                      {label}
                    </span>
                  ) : (
                    label
                  )
                }
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
            ))}
            {matches.length === 0 && <span className="ui-quiet">{texts.noValues}</span>}
          </div>
          {chosen.length > MAX_FILTER_VALUES && (
            <p role="alert" className="ui-small ui-danger">
              {texts.tooManyValues(MAX_FILTER_VALUES)}
            </p>
          )}
        </div>
      )}
    </>
  );
}
