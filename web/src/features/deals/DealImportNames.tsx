import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-import.ts';
import type { CellTexts } from '../../ui/import/cell-texts.ts';
import type { ImportField } from '../../ui/import/matched-columns.ts';
import type { ImportedField } from './deal-import-fields.ts';
import { nameKey, type UnknownName } from './deal-import-names.ts';
import styles from './DealImport.module.css';

type DealImportNamesProps = {
  names: readonly UnknownName[];
  fields: readonly ImportField<ImportedField>[];
  chosen: CellTexts;
  onChange: (chosen: CellTexts) => void;
};

/** So many names at most; the others are corrected in their cells. */
const MOST = 12;

/** What the file's own names for dealerships and statuses mean: chosen once for all lines that say them. */
export function DealImportNames({ names, fields, chosen, onChange }: DealImportNamesProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <fieldset className={styles.names}>
      <legend className={styles.legend}>{texts.unknownNames}</legend>
      <p className={styles.note}>{texts.unknownNamesNote}</p>
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
