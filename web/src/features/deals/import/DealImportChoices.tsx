import type { DealershipOption } from '@forecourt/contract/dealerships';
import type { ImportMode } from '@forecourt/contract/import-modes';
import { Checkbox, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-import.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { isDay } from '../../../ui/day-text.ts';
import { DayField } from '../../../ui/DayField.tsx';
import type { CellTexts } from '../../../ui/import/cell-texts.ts';
import type { ImportField } from '../../../ui/import/matched-columns.ts';
import { Segments } from '../../../ui/Segments.tsx';
import type { ImportedField } from './cells.ts';
import { nameKey, type UnknownName } from './plan.ts';
import styles from './DealImport.module.css';

type Values = { readonly dealershipId: string; readonly month: string };

export type Method = {
  readonly mode: ImportMode;
  /** The columns by which lines find their rows; empty: the usual ones. */
  readonly comparison: string;
  readonly emptyClears: boolean;
};

type DealImportMethodProps = {
  value: Method;
  /** The comparison in use: the chosen one, if the file has its columns, or the usual one. */
  comparison: string | null;
  canAdd: boolean;
  comparisons: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: Method) => void;
};

/** Whether lines are added, update rows or both, and how they find their rows. */
export function DealImportMethod({
  value,
  comparison,
  canAdd,
  comparisons,
  onChange,
}: DealImportMethodProps): ReactNode {
  return (
    <div className="ui-stack ui-gap-3">
      {canAdd && (
        <Segments<ImportMode>
          aria-label={texts.mode}
          labels={texts.modes}
          value={value.mode}
          onChange={(mode) => onChange({ ...value, mode })}
        />
      )}
      {value.mode !== 'add' && (
        <div className={styles.defaults}>
          <Select
            label={texts.matchBy}
            description={texts.matchByHint}
            data={comparisons.map(({ value: name, label }) => ({ value: name, label }))}
            placeholder={texts.noComparison}
            allowDeselect={false}
            value={comparison}
            onChange={(chosen) => onChange({ ...value, comparison: chosen ?? '' })}
          />
          <Checkbox
            label={texts.emptyClears}
            description={texts.emptyClearsHint}
            checked={value.emptyClears}
            onChange={(event) => onChange({ ...value, emptyClears: event.currentTarget.checked })}
          />
        </div>
      )}
    </div>
  );
}

type DealImportDefaultsProps = {
  dealerships: readonly DealershipOption[];
  canChooseMonth: boolean;
  values: Values;
  onChange: (values: Values) => void;
};

/** Values for lines without one. */
export function DealImportDefaults({
  dealerships,
  canChooseMonth,
  values,
  onChange,
}: DealImportDefaultsProps): ReactNode {
  return (
    <div className={styles.defaults}>
      <Select
        label={texts.usualDealership}
        description={texts.usualDealershipHint}
        data={namedChoices(dealerships.filter(({ active }) => active))}
        placeholder={texts.choose}
        searchable
        clearable
        value={values.dealershipId || null}
        onChange={(dealershipId) => onChange({ ...values, dealershipId: dealershipId ?? '' })}
      />
      {canChooseMonth && (
        <DayField
          precision="month"
          label={texts.usualMonth}
          description={texts.usualMonthHint}
          value={values.month}
          onChange={(month) => isDay(month, 'month') && onChange({ ...values, month })}
        />
      )}
    </div>
  );
}

type DealImportNamesProps = {
  names: readonly UnknownName[];
  fields: readonly ImportField<ImportedField>[];
  chosen: CellTexts;
  onChange: (chosen: CellTexts) => void;
};

/** Maximum listed names. Others are corrected in their cells. */
const MOST = 12;

/** Maps unknown names of dealerships and statuses, once for all their lines. */
export function DealImportNames({ names, fields, chosen, onChange }: DealImportNamesProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <fieldset className="ui-stack ui-gap-2">
      <legend className="ui-bold">{texts.unknownNames}</legend>
      <p className="ui-muted">{texts.unknownNamesNote}</p>
      <div className={styles.defaults}>
        {names.slice(0, MOST).map(({ field, name, lines }) => {
          const column = fields.find((one) => one.field === field);
          const key = nameKey(field, name);
          return (
            <Select
              key={key}
              label={texts.nameIs(column?.label ?? '', name)}
              description={texts.inLines(lines)}
              data={[...new Set(column?.options)]}
              placeholder={texts.chooseMeaning}
              searchable
              clearable
              value={chosen[key] ?? null}
              onChange={(text) => {
                const { [key]: _before, ...others } = chosen;
                onChange(text === null ? others : { ...others, [key]: text });
              }}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
