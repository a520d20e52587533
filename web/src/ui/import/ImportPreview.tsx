import { Button, Autocomplete, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/import.ts';
import { ChangedValue } from '../ChangeEntry.tsx';
import { Tooltip } from '../Tooltip.tsx';
import type { ImportField } from './matched-columns.ts';
import { rankOf, RANKS, type PreviewLine } from './preview-line.ts';
import styles from './Import.module.css';
import '../styles-dialog.ts';

type ImportPreviewProps<F extends string, L extends PreviewLine<F>> = PreviewActions<F, L> & {
  fields: readonly ImportField<F>[];
  lines: readonly L[];
};

/** Number of lines displayed at first and added by each step. */
const STEP = 100;

/**
 * The preview of an import, line by line. Invalid cells come first, show the reason and can be corrected in place. Must
 * be mounted again for other lines.
 */
export function ImportPreview<F extends string, L extends PreviewLine<F>>({
  fields,
  lines,
  isEdited,
  ...actions
}: ImportPreviewProps<F, L>): ReactNode {
  const [limit, setLimit] = useState(STEP);
  // The order of the first render is preserved, so that lines do not move while they are corrected.
  const [order] = useState(() => {
    const ranks = Map.groupBy(lines, rankOf);
    return RANKS.flatMap((rank) => ranks.get(rank)?.map(({ number }) => number) ?? []);
  });
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  // Lines that become invalid later are displayed too.
  const wrong = order.filter((number) => rankOf(byNumber.get(number)!) === 0);
  const visibleNumbers = new Set([...order.slice(0, limit), ...wrong.slice(0, limit)]);
  const visibleOrder = order.filter(
    (number) => visibleNumbers.has(number) || fields.some(({ field }) => isEdited(number, field)),
  );

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className={styles.scroll} role="region" aria-label={texts.preview} tabIndex={0}>
        <table className={`ui-table ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{texts.line}</th>
              {fields.map(({ field, label }) => (
                <th key={field} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visibleOrder.map((number) => (
              <PreviewRow
                key={number}
                fields={fields}
                line={byNumber.get(number)!}
                isEdited={isEdited}
                {...actions}
              />
            ))}
          </tbody>
        </table>
      </div>
      {visibleOrder.length < lines.length && (
        <Button variant="subtle" onClick={() => setLimit(limit + STEP)}>
          {texts.more(Math.min(STEP, lines.length - visibleOrder.length))}
        </Button>
      )}
    </>
  );
}

type PreviewActions<F extends string, L extends PreviewLine<F>> = {
  /** Whether the user has edited this cell, which then stays an input. */
  isEdited: (line: number, field: F) => boolean;
  onEdit: (line: number, field: F, text: string) => void;
  /** Includes a duplicate in the import, or excludes it again. */
  onKeep?: (line: number, kept: boolean) => void;
  /** Sets what is done with a line. */
  onChoose?: (line: number, value: string) => void;
  /** Renders what else can be done about a line, below its choice. */
  more?: (line: L) => ReactNode;
};

type PreviewRowProps<F extends string, L extends PreviewLine<F>> = PreviewActions<F, L> & {
  fields: readonly ImportField<F>[];
  line: L;
};

/** A line of the preview, with the reason why it is excluded, or the record that it duplicates. */
function PreviewRow<F extends string, L extends PreviewLine<F>>({
  fields,
  line,
  isEdited,
  onEdit,
  onKeep,
  onChoose,
  more,
}: PreviewRowProps<F, L>): ReactNode {
  const {
    number,
    cells,
    errors,
    repairs,
    notes,
    editable,
    leftOut,
    sameAs = null,
    changes,
    choice,
    isSame,
  } = line;
  return (
    <tr data-left-out={leftOut !== null || isSame || undefined}>
      <th scope="row">
        {number}
        {leftOut !== null && <span className="ui-sub ui-warn">{leftOut}</span>}
        {sameAs !== null && <span className={styles.sameAs}>{sameAs}</span>}
        {sameAs !== null && !choice && (
          <Checkbox
            size="xs"
            label={texts.importAnyway}
            aria-label={texts.importLineAnyway(number)}
            checked={leftOut === null}
            onChange={(event) => onKeep?.(number, event.currentTarget.checked)}
          />
        )}
        {choice && (
          <NativeSelect
            size="xs"
            className={styles.choice}
            aria-label={texts.lineChoice(number)}
            data={[...choice.options]}
            value={choice.value}
            onChange={(event) => onChoose?.(number, event.currentTarget.value)}
          />
        )}
        {more?.(line)}
      </th>
      {fields.map((column) => {
        const { field, label } = column;
        const text = cells[field];
        const was = repairs?.[field];
        const change = changes?.[field];
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
            {was === undefined && !change && !editable?.includes(field) ? (
              text
            ) : (
              <Tooltip label={was === undefined ? texts.changeValue : texts.changeRepair}>
                <button type="button" className={styles.repaired} onClick={() => onEdit(number, field, text)}>
                  {change ? (
                    <ChangedValue {...change} />
                  ) : (
                    text || <span className="ui-muted">{texts.empty}</span>
                  )}
                  {was !== undefined && <span className="ui-sub">{texts.was(was)}</span>}
                </button>
              </Tooltip>
            )}
            {notes?.[field] !== undefined && <span className="ui-sub ui-danger">{notes[field]}</span>}
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

/** An editable cell. It has suggestions if there are options. */
function CellInput({ label, options, value, error, onChange }: CellInputProps): ReactNode {
  const shared = { 'aria-label': label, value, error };
  if (options === undefined)
    return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
  return <Autocomplete {...shared} data={[...new Set(options)]} limit={50} onChange={onChange} />;
}
