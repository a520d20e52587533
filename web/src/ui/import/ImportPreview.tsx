import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/import.ts';
import type { ImportField } from './matched-columns.ts';
import { PreviewRow } from './PreviewRow.tsx';
import styles from './Import.module.css';

/** One line as it would be imported. */
export type PreviewLine<F extends string> = {
  readonly number: number;
  readonly cells: { readonly [field in F]: string };
  /** What is wrong with a cell. */
  readonly errors: { readonly [field in F]?: string };
  /** The texts of cells that were put right, as they came. */
  readonly repairs?: { readonly [field in F]?: string };
  /** Why the whole line is left out. */
  readonly leftOut: string | null;
  /** What the line is a duplicate of: whoever imports decides whether it is left out. */
  readonly sameAs?: string | null;
};

export type PreviewActions<F extends string> = {
  /** Whether somebody has typed over this cell: it stays open for typing. */
  isEdited: (line: number, field: F) => boolean;
  onEdit: (line: number, field: F, text: string) => void;
  /** Imports a duplicate all the same, or leaves it out after all. */
  onKeep?: (line: number, kept: boolean) => void;
};

type ImportPreviewProps<F extends string> = PreviewActions<F> & {
  fields: readonly ImportField<F>[];
  lines: readonly PreviewLine<F>[];
};

/** So many lines are shown at first, and more by so many. */
const STEP = 100;

/** What wants to be seen first: what is wrong, then what is left out or a duplicate, then the rest. */
function rankOf({ errors, leftOut, sameAs = null }: PreviewLine<string>): 0 | 1 | 2 {
  if (Object.keys(errors).length > 0) return 0;
  return leftOut === null && sameAs === null ? 2 : 1;
}

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
