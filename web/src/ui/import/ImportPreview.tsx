import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/import.ts';
import type { ImportField } from './matched-columns.ts';
import { rankOf, type PreviewLine } from './preview-line.ts';
import { PreviewRow, type PreviewActions } from './PreviewRow.tsx';
import styles from './Import.module.css';

type ImportPreviewProps<F extends string> = PreviewActions<F> & {
  fields: readonly ImportField<F>[];
  lines: readonly PreviewLine<F>[];
};

/** Number of lines shown at first and added by each step. */
const STEP = 100;

/**
 * Preview of the import, line by line. Invalid cells show the reason, can be corrected in place and are listed first.
 * Remount it for other lines.
 */
export function ImportPreview<F extends string>({
  fields,
  lines,
  isEdited,
  onEdit,
  onKeep,
}: ImportPreviewProps<F>): ReactNode {
  const [limit, setLimit] = useState(STEP);
  // Lines do not move while they are corrected: the order is that of the first render.
  const [order] = useState(() => {
    const ranks = Map.groupBy(lines, rankOf);
    return ([0, 1, 2] as const).flatMap((rank) => ranks.get(rank)?.map(({ number }) => number) ?? []);
  });
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  // Lines that have become invalid are shown too, wherever they are.
  const wrong = order.filter((number) => rankOf(byNumber.get(number)!) === 0);
  const wanted = new Set([...order.slice(0, limit), ...wrong.slice(0, limit)]);
  const shown = order.filter(
    (number) => wanted.has(number) || fields.some(({ field }) => isEdited(number, field)),
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
            {shown.map((number) => (
              <PreviewRow
                key={number}
                fields={fields}
                line={byNumber.get(number)!}
                isEdited={isEdited}
                onEdit={onEdit}
                {...(onKeep && { onKeep })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < lines.length && (
        <Button variant="subtle" onClick={() => setLimit(limit + STEP)}>
          {texts.more(Math.min(STEP, lines.length - shown.length))}
        </Button>
      )}
    </>
  );
}
