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

/** So many lines are shown at first, and more by so many. */
const STEP = 100;

/**
 * What would be imported, line by line. Wrong cells say why and can be corrected in place; they come first. Mount
 * it anew for other lines.
 */
export function ImportPreview<F extends string>({
  fields,
  lines,
  isEdited,
  onEdit,
  onKeep,
}: ImportPreviewProps<F>): ReactNode {
  const [limit, setLimit] = useState(STEP);
  // Lines do not move while they are corrected: their order is that of the first look.
  const [order] = useState(() => {
    const ranks = Map.groupBy(lines, rankOf);
    return ([0, 1, 2] as const).flatMap((rank) => ranks.get(rank)?.map(({ number }) => number) ?? []);
  });
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  // What became wrong since, far below as it may be, is shown as well.
  const wrong = order.filter((number) => rankOf(byNumber.get(number)!) === 0);
  const wanted = new Set([...order.slice(0, limit), ...wrong.slice(0, limit)]);
  const shown = order.filter(
    (number) => wanted.has(number) || fields.some(({ field }) => isEdited(number, field)),
  );

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className={styles.scroll} role="region" aria-label={texts.preview} tabIndex={0}>
        <table className={styles.table}>
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
