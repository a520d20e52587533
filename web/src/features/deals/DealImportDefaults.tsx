import type { DealershipOption } from '@forecourt/contract/dealerships';
import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-import.ts';
import styles from './DealImport.module.css';

type Values = { readonly dealershipId: string; readonly month: string };

type DealImportDefaultsProps = {
  dealerships: readonly DealershipOption[];
  mayChooseMonth: boolean;
  values: Values;
  onChange: (values: Values) => void;
};

/** What holds for lines that say nothing of it. */
export function DealImportDefaults({
  dealerships,
  mayChooseMonth,
  values,
  onChange,
}: DealImportDefaultsProps): ReactNode {
  return (
    <div className={styles.defaults}>
      <Select
        label={texts.usualDealership}
        description={texts.usualDealershipHint}
        data={dealerships
          .filter(({ active }) => active)
          .map(({ _id, name }) => ({ value: _id, label: name }))}
        placeholder={texts.choose}
        searchable
        clearable
        value={values.dealershipId || null}
        onChange={(dealershipId) => onChange({ ...values, dealershipId: dealershipId ?? '' })}
      />
      {mayChooseMonth && (
        <TextInput
          type="month"
          label={texts.usualMonth}
          description={texts.usualMonthHint}
          value={values.month}
          required
          withAsterisk={false}
          onChange={(event) =>
            event.currentTarget.value !== '' && onChange({ ...values, month: event.currentTarget.value })
          }
        />
      )}
    </div>
  );
}
