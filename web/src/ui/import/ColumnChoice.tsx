import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import '../styles-dialog.ts';
import { texts } from '../../texts/import.ts';
import type { ColumnMatch, ImportField } from './matched-columns.ts';
import styles from './Import.module.css';

type ColumnChoiceProps<F extends string> = {
  fields: readonly ImportField<F>[];
  header: readonly string[];
  match: ColumnMatch<F>;
  onChange: (match: ColumnMatch<F>) => void;
};

export function ColumnChoice<F extends string>({
  fields,
  header,
  match,
  onChange,
}: ColumnChoiceProps<F>): ReactNode {
  const columns = header.map((name, index) => ({
    value: String(index),
    label: columnLabel(header, name, index),
  }));
  return (
    <fieldset>
      <legend className="ui-bold">{texts.columns}</legend>
      <p className="ui-quiet">{texts.columnsNote}</p>
      <div className={styles.choices}>
        {fields.map(({ field, label }) => (
          <Select
            key={field}
            label={label}
            data={columns}
            placeholder={texts.noColumn}
            clearable
            clearButtonProps={{ 'aria-label': `${label}: ${texts.noColumn}` }}
            value={match[field] === null ? null : String(match[field])}
            onChange={(index) => onChange({ ...match, [field]: index === null ? null : Number(index) })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function columnLabel(header: readonly string[], name: string, index: number): string {
  if (name === '') return texts.unnamedColumn(index + 1);
  const isRepeated = header.indexOf(name) !== header.lastIndexOf(name);
  return isRepeated ? texts.repeatedColumn(name, index + 1) : name;
}
