import { heightOf, widthOf, type Block } from './block.ts';
import { changesOf, countOf, outcomeWords, type Wish } from './cell-changes.ts';
import type { CellAddress, Command, GridColumn, GridRecord } from './columns.ts';
import { copyText } from './format.ts';
import { formatHtmlTable } from './html-table.ts';
import { pasteSize, patternAt, withoutEmptyRows, type Fill } from './paste-area.ts';
import type { RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import { formatTsv, type TextTable } from './tsv.ts';
import type { BlockSelection } from './use-block.ts';

export interface BlockCommandsOptions<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly sequence: RowSequence;
  /** The visible columns from left to right. */
  readonly columns: readonly GridColumn<R>[];
  readonly selection: BlockSelection;
  readonly timeZone: string;
  readonly onCommand: (command: Command) => void;
  readonly newRows: ((count: number) => readonly string[]) | undefined;
  /** Says beside the active cell what did not go in; null for nothing. */
  readonly onNote: (words: string | null) => void;
  /** Somebody tried to clear a cell that they may not change. */
  readonly onBlocked: (cell: CellAddress) => void;
}

export interface BlockCommands {
  readonly copy: () => { readonly text: string; readonly html: string | null } | null;
  readonly clear: (source: 'clear' | 'cut') => void;
  readonly paste: (table: TextTable) => void;
  readonly fillFrom: (fill: Fill) => void;
}

/** More than this is work for an import or a bulk action, not for a keystroke. */
const MOST_CHANGED = 100_000;
/** Markup of more cells than this takes longer to write and to read than anybody waits; text goes on. */
const MOST_MARKED_UP = 200_000;

/** What is done with all cells of the selection at once. Each leaves as one command. */
export function useBlockCommands<R extends GridRecord>(options: BlockCommandsOptions<R>): BlockCommands {
  const { store, sequence, columns, selection, timeZone, onNote } = options;

  function run(source: Command['source'], wishes: readonly Wish<R>[], leftOut: readonly string[] = []) {
    const outcome = changesOf(wishes, store.get, { now: new Date(), timeZone });
    const { changes, refused, forgiven } = outcome;
    const [only, ...others] = wishes;
    // Deleting in a blocked cell says the same as typing in it.
    if (only && others.length === 0 && source === 'clear')
      options.onBlocked({ key: only.key, columnId: only.column.id });
    else onNote(outcomeWords(outcome, leftOut));
    if (changes.length + refused.length + forgiven.length > 0)
      options.onCommand({ source, changes, refused, forgiven });
  }

  function isTooMuch(cells: number): boolean {
    if (cells > MOST_CHANGED)
      onNote(`At most ${MOST_CHANGED.toLocaleString('en-AU')} cells can be changed at once`);
    return cells > MOST_CHANGED;
  }

  /** One wish for each cell of a block. */
  function wishesFor(
    { top, left, bottom, right }: Block,
    wish: (row: number, column: number) => Pick<Wish<R>, 'text' | 'value'> | null,
  ): Wish<R>[] {
    const wishes: Wish<R>[] = [];
    for (const [down, key] of sequence.keysBetween(top, bottom).entries()) {
      const row = top + down;
      for (let at = left; at <= right; at++) {
        const [column, wanted] = [columns[at], wish(row, at)];
        if (column && wanted) wishes.push({ key, column, ...wanted });
      }
    }
    return wishes;
  }

  function textAt(row: number, at: number): string {
    const key = sequence.keyAt(row);
    const record = key === undefined ? undefined : store.get(key);
    const column = columns[at];
    if (!record || !column) return '';
    return column.refusal?.(record)?.text ?? copyText(column, record, timeZone);
  }

  return {
    copy() {
      const { block } = selection;
      if (!block) return null;
      const rows = Array.from({ length: heightOf(block) }, (_, down) =>
        Array.from({ length: widthOf(block) }, (__, across) => textAt(block.top + down, block.left + across)),
      );
      const isText = columns
        .slice(block.left, block.right + 1)
        .map(({ type }) => type !== 'number' && type !== 'currency' && !type.startsWith('date'));
      const marked = heightOf(block) * widthOf(block) <= MOST_MARKED_UP;
      const htmlCells = (texts: readonly string[]) =>
        texts.map((text, at) => ({ text, isText: isText[at] ?? true }));
      return { text: formatTsv(rows), html: marked ? formatHtmlTable(rows.map(htmlCells)) : null };
    },

    clear(source) {
      const { block } = selection;
      if (!block || isTooMuch(heightOf(block) * widthOf(block))) return;
      run(
        source,
        wishesFor(block, () => ({ value: null })),
      );
    },

    paste(copied) {
      const { block } = selection;
      const width = Math.max(...copied.map((row) => row.length));
      if (!block || width < 1) return;
      const size = pasteSize(block, { height: copied.length, width });
      if (isTooMuch(size.height * size.width)) return;
      const { top, left } = block;
      const textFor = (down: number, across: number) => copied[down % copied.length]?.[across % width] ?? '';

      const fits = Math.min(size.height, sequence.length - top);
      const fitsAcross = Math.min(size.width, columns.length - left);
      const area = { top, left, bottom: top + fits - 1, right: left + fitsAcross - 1 };
      const wishes = wishesFor(area, (row, at) => ({ text: textFor(row - top, at - left) }));

      // Blank lines between the pasted ones belong to rows that are there, and make none that are not.
      const below = withoutEmptyRows(
        Array.from({ length: size.height - fits }, (_, down) =>
          Array.from({ length: fitsAcross }, (__, across) => textFor(fits + down, across)),
        ),
      );
      const made = below.length > 0 ? (options.newRows?.(below.length) ?? []) : [];
      for (const [at, key] of made.entries()) {
        for (const [across, text] of (below[at] ?? []).entries()) {
          const column = columns[left + across];
          if (column) wishes.push({ key, column, text });
        }
      }
      const [rowsLeft, columnsLeft] = [below.length - made.length, size.width - fitsAcross];
      run('paste', wishes, [
        rowsLeft > 0 ? `${countOf(rowsLeft, 'row')} did not fit below the last one.` : '',
        columnsLeft > 0 ? `${countOf(columnsLeft, 'column')} did not fit beside the last one.` : '',
      ]);
      const [firstKey, lastKey] = [sequence.keyAt(top), made.at(-1) ?? sequence.keyAt(area.bottom)];
      const [first, last] = [columns[left]?.id, columns[area.right]?.id];
      if (firstKey === undefined || lastKey === undefined || first === undefined || last === undefined)
        return;
      selection.select({ key: firstKey, columnId: first }, { key: lastKey, columnId: last });
    },

    fillFrom({ source, target }) {
      if (isTooMuch(heightOf(target) * widthOf(target))) return;
      const wishes = wishesFor(target, (row, at) => {
        const fromRow = source.top + patternAt(row - source.top, heightOf(source));
        const from = source.left + patternAt(at - source.left, widthOf(source));
        if (fromRow === row && from === at) return null;
        // Within its column a value stays itself; another column has to read it.
        const key = sequence.keyAt(fromRow);
        const record = key === undefined ? undefined : store.get(key);
        return from === at
          ? { value: (record && columns[at]?.get(record)) ?? null }
          : { text: textAt(fromRow, from) };
      });
      run('fill', wishes);
    },
  };
}
