import { dealColumns, type DealColumn } from '@forecourt/contract/permission-defaults';
import { Checkbox, MultiSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { DayField } from '../../ui/DayField.tsx';
import { HiddenRows } from './HiddenRows.tsx';
import type { RecordFormState } from './record-form-state.ts';
import styles from './PermissionsScreen.module.css';

type Named = { readonly _id: string; readonly name: string };

type RestrictionsProps = {
  form: RecordFormState;
  dealerships: readonly Named[];
  statuses: readonly Named[];
};

/** The parts of Data Entry hidden from a user (docs/product/people-and-permissions.md, Restrictions). */
export function Restrictions({ form, dealerships, statuses }: RestrictionsProps): ReactNode {
  const { values } = form;
  return (
    <div className="ui-stack">
      <Switch label={texts.allColumns} description={texts.allColumnsNote} {...form.check('viewAllColumns')} />
      {!values.viewAllColumns && (
        <Checkbox.Group
          label={texts.visibleColumns}
          value={[...values.visibleColumns]}
          error={form.errors['visibleColumns']}
          onChange={(columns) => form.set('visibleColumns', columns as DealColumn[])}
        >
          <div className={styles.checks}>
            {dealColumns.map((column) => (
              <Checkbox key={column} value={column} label={texts.columns[column]} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <div className={styles.flags}>
        <MultiSelect
          label={texts.hiddenDealerships}
          description={texts.hiddenDealershipsHint}
          placeholder={values.restrictedDealerships.length === 0 ? texts.allMayBeSeen : undefined}
          searchable
          data={choices(dealerships, values.restrictedDealerships)}
          value={[...values.restrictedDealerships]}
          onChange={(ids) => form.set('restrictedDealerships', ids)}
        />
        <MultiSelect
          label={texts.hiddenStatuses}
          description={texts.hiddenStatusesHint}
          placeholder={values.restrictedStatuses.length === 0 ? texts.allMayBeSeen : undefined}
          searchable
          data={choices(statuses, values.restrictedStatuses)}
          value={[...values.restrictedStatuses]}
          onChange={(ids) => form.set('restrictedStatuses', ids)}
        />
        <DayField
          label={texts.firstDay}
          {...form.text('dateRangeStart')}
          onChange={(day) => form.set('dateRangeStart', day)}
        />
        <DayField
          label={texts.lastDay}
          {...form.text('dateRangeEnd')}
          onChange={(day) => form.set('dateRangeEnd', day)}
        />
      </div>
      <HiddenRows ids={values.restrictedRows} onChange={(ids) => form.set('restrictedRows', ids)} />
    </div>
  );
}

/** Returns the options, and the chosen ones that no longer exist. */
const choices = (known: readonly Named[], chosen: readonly string[]) => [
  ...known.map(({ _id, name }) => ({ value: _id, label: name })),
  ...chosen
    .filter((id) => !known.some(({ _id }) => _id === id))
    .map((id) => ({ value: id, label: texts.gone })),
];
