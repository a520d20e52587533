import { Autocomplete, Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import '../styles-dialog.ts';
import { texts } from '../../texts/import.ts';
import type { ImportField } from './matched-columns.ts';
import type { PreviewLine } from './preview-line.ts';
import styles from './Import.module.css';

export type PreviewActions<F extends string> = {
  /** Whether the user has edited this cell: it then remains an input. */
  isEdited: (line: number, field: F) => boolean;
  onEdit: (line: number, field: F, text: string) => void;
  /** Includes a duplicate in the import, or excludes it again. */
  onKeep?: (line: number, kept: boolean) => void;
};

type PreviewRowProps<F extends string> = PreviewActions<F> & {
  fields: readonly ImportField<F>[];
  line: PreviewLine<F>;
};

/** One line of the preview, with the reason why it is left out and the record that it duplicates. */
export function PreviewRow<F extends string>({
  fields,
  line,
  isEdited,
  onEdit,
  onKeep,
}: PreviewRowProps<F>): ReactNode {
  const { number, cells, errors, repairs, leftOut, sameAs = null } = line;
  return (
    <tr data-left-out={leftOut !== null || undefined}>
      <th scope="row">
        {number}
        {leftOut !== null && <span className="ui-sub ui-warn">{leftOut}</span>}
        {sameAs !== null && (
          <>
            <span className={styles.sameAs}>{sameAs}</span>
            <Checkbox
              size="xs"
              label={texts.importAnyway}
              aria-label={texts.importLineAnyway(number)}
              checked={leftOut === null}
              onChange={(event) => onKeep?.(number, event.currentTarget.checked)}
            />
          </>
        )}
      </th>
      {fields.map((column) => {
        const { field, label } = column;
        const text = cells[field];
        const was = repairs?.[field];
        if (errors[field] !== undefined || isEdited(number, field))
          return (
            <td key={field}>
              <CellInput
                label={texts.cellLabel(label, number)}
                options={column.options}
                value={text}
                error={errors[field]}
                onChange={(typed) => onEdit(number, field, typed)}
              />
            </td>
          );
        return (
          <td key={field}>
            {was === undefined ? (
              text
            ) : (
              <button
                type="button"
                className={styles.repaired}
                title={texts.changeRepair}
                onClick={() => onEdit(number, field, text)}
              >
                {text}
                <span className="ui-sub">{texts.was(was)}</span>
              </button>
            )}
          </td>
        );
      })}
    </tr>
  );
}

type CellInputProps = {
  label: string;
  options: readonly string[] | undefined;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
};

/** An editable cell, with suggestions where the options are known. */
function CellInput({ label, options, value, error, onChange }: CellInputProps): ReactNode {
  const shared = { 'aria-label': label, value, error };
  if (options === undefined)
    return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
  return <Autocomplete {...shared} data={[...new Set(options)]} limit={50} onChange={onChange} />;
}
