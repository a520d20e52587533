import { useEffect, useEffectEvent, type RefObject } from 'react';
import { heightOf, widthOf, type Block } from './block.ts';
import { changesOf, countOf, outcomeText, type CellEdit } from './cell-changes.ts';
import type { CellAddress, Command, GridColumn, GridRecord } from './columns.ts';
import { copyText } from './format.ts';
import { formatHtmlTable, parseHtmlTable } from './html-table.ts';
import { pasteSize, patternAt, withoutEmptyRows, type Fill } from './paste-area.ts';
import type { RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import { formatTsv, type TextTable, parseTsv } from './tsv.ts';
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
  /** Shows beside the active cell which cells were omitted; null hides the note. */
  readonly onNote: (text: string | null) => void;
  /** Called when the user tries to clear a cell that they may not change. */
  readonly onBlocked: (cell: CellAddress) => void;
}

export interface BlockCommands {
  readonly copy: () => { readonly text: string; readonly html: string | null } | null;
  readonly clear: (source: 'clear' | 'cut') => void;
  readonly paste: (table: TextTable) => void;
  readonly fillFrom: (fill: Fill) => void;
}

/** Larger changes are for an import or a bulk action. */
const MAX_CHANGED = 100_000;
/** Above this number, HTML takes too long to write and to read, so only plain text is copied. */
const MAX_MARKED_UP = 200_000;

/** Commands on all selected cells. Each emits one `Command`. */
export function useBlockCommands<R extends GridRecord>(options: BlockCommandsOptions<R>): BlockCommands {
  const { store, sequence, columns, selection, timeZone, onNote } = options;

  function run(source: Command['source'], edits: readonly CellEdit<R>[], leftOut: readonly string[] = []) {
    const outcome = changesOf(edits, store.get, { now: new Date(), timeZone });
    const { changes, refused, cleared } = outcome;
    const [only, ...others] = edits;
    // Clearing a single blocked cell shows the same reason as typing in it.
    if (only && others.length === 0 && source === 'clear')
      options.onBlocked({ key: only.key, columnId: only.column.id });
    else onNote(outcomeText(outcome, leftOut));
    if (changes.length + refused.length + cleared.length > 0)
      options.onCommand({ source, changes, refused, cleared });
    return outcome;
  }

  function isTooMuch(cells: number): boolean {
    if (cells > MAX_CHANGED)
      onNote(`At most ${MAX_CHANGED.toLocaleString('en-AU')} cells can be changed at once`);
    return cells > MAX_CHANGED;
  }

  /** Returns the keys of a block's records. */
  const keysOf = ({ top, bottom }: Block): readonly string[] => sequence.keysBetween(top, bottom);

  /** Returns an edit for each cell of these rows and columns; `down` is the row index inside the block. */
  function editsFor(
    keys: readonly string[],
    { left, right }: Pick<Block, 'left' | 'right'>,
    editOf: (down: number, column: number) => Pick<CellEdit<R>, 'text' | 'value'> | null,
  ): CellEdit<R>[] {
    const edits: CellEdit<R>[] = [];
    for (const [down, key] of keys.entries()) {
      for (let at = left; at <= right; at++) {
        const [column, edit] = [columns[at], editOf(down, at)];
        if (column && edit) edits.push({ key, column, ...edit });
      }
    }
    return edits;
  }

  function textAt(key: string, at: number): string {
    const record = store.get(key);
    const column = columns[at];
    if (!record || !column) return '';
    return column.refusal?.(record)?.text ?? copyText(column, record, timeZone);
  }

  return {
    copy() {
      const { block } = selection;
      if (!block) return null;
      const rows = keysOf(block).map((key) =>
        Array.from({ length: widthOf(block) }, (_, across) => textAt(key, block.left + across)),
      );
      const isText = columns
        .slice(block.left, block.right + 1)
        .map(({ type }) => type !== 'number' && type !== 'currency' && !type.startsWith('date'));
      const marked = rows.length * widthOf(block) <= MAX_MARKED_UP;
      const htmlCells = (texts: readonly string[]) =>
        texts.map((text, at) => ({ text, isText: isText[at] ?? true }));
      return { text: formatTsv(rows), html: marked ? formatHtmlTable(rows.map(htmlCells)) : null };
    },

    clear(source) {
      const { block } = selection;
      if (!block || isTooMuch(heightOf(block) * widthOf(block))) return;
      run(
        source,
        editsFor(keysOf(block), block, () => ({ value: null })),
      );
    },

    paste(copied) {
      const { block } = selection;
      const width = Math.max(...copied.map((row) => row.length));
      if (!block || width < 1) return;
      const { top, left } = block;
      const selected = { ...block, bottom: top + sequence.countBetween(top, block.bottom) - 1 };
      const size = pasteSize(selected, { height: copied.length, width });
      if (isTooMuch(size.height * size.width)) return;
      const textFor = (down: number, across: number) => copied[down % copied.length]?.[across % width] ?? '';

      const keys = sequence.keysBetween(top, sequence.length - 1).slice(0, size.height);
      const fits = keys.length;
      const fitsAcross = Math.min(size.width, columns.length - left);
      const right = left + fitsAcross - 1;
      const edits = editsFor(keys, { left, right }, (down, at) => ({ text: textFor(down, at - left) }));

      // Blank lines apply to existing rows, but do not create new ones.
      const below = withoutEmptyRows(
        Array.from({ length: size.height - fits }, (_, down) =>
          Array.from({ length: fitsAcross }, (__, across) => textFor(fits + down, across)),
        ),
      );
      const made = below.length > 0 ? (options.newRows?.(below.length) ?? []) : [];
      for (const [at, key] of made.entries()) {
        for (const [across, text] of (below[at] ?? []).entries()) {
          const column = columns[left + across];
          if (column) edits.push({ key, column, text });
        }
      }
      const [rowsLeft, columnsLeft] = [below.length - made.length, size.width - fitsAcross];
      const { refused } = run('paste', edits, [
        rowsLeft > 0 ? `${countOf(rowsLeft, 'row')} did not fit below the last one.` : '',
        columnsLeft > 0 ? `${countOf(columnsLeft, 'column')} did not fit beside the last one.` : '',
      ]);
      const [firstKey, lastKey] = [keys[0], made.at(-1) ?? keys.at(-1)];
      const [first, last] = [columns[left]?.id, columns[right]?.id];
      if (firstKey === undefined || lastKey === undefined || first === undefined || last === undefined)
        return;
      // The first refused cell becomes active.
      selection.select({ key: firstKey, columnId: first }, { key: lastKey, columnId: last }, refused[0]);
    },

    fillFrom({ source, target }) {
      const [copied, keys] = [keysOf(source), keysOf(target)];
      if (isTooMuch(keys.length * widthOf(target))) return;
      const start = keys.indexOf(copied[0] ?? '');
      const edits = editsFor(keys, target, (down, at) => {
        const key = copied[patternAt(down - start, copied.length)] ?? '';
        const from = source.left + patternAt(at - source.left, widthOf(source));
        if (key === keys[down] && from === at) return null;
        // Within its column a value is copied; for another column its text is parsed.
        const record = store.get(key);
        return from === at
          ? { value: (record && columns[at]?.get(record)) ?? null }
          : { text: textAt(key, from) };
      });
      run('fill', edits);
    },
  };
}

/**
 * Handles the browser's copy, cut and paste events, which also work on plain http. Browsers dispatch them at the text
 * selection, so the listener is on the document and checks that the grid itself has the focus.
 */
export function useClipboard(
  scroller: RefObject<HTMLElement | null>,
  commands: BlockCommands,
  onCopied: () => void,
): void {
  const handle = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!data || event.defaultPrevented || document.activeElement !== scroller.current) return;
    if (event.type === 'paste') {
      const table = parseHtmlTable(data.getData('text/html')) ?? parseTsv(data.getData('text/plain'));
      event.preventDefault();
      commands.paste(table);
      return;
    }
    const copied = commands.copy();
    if (!copied) return;
    event.preventDefault();
    data.setData('text/plain', copied.text);
    if (copied.html !== null) data.setData('text/html', copied.html);
    onCopied();
    if (event.type === 'cut') commands.clear('cut');
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => handle(event);
    const kinds = ['copy', 'cut', 'paste'] as const;
    for (const kind of kinds) document.addEventListener(kind, listen);
    return () => kinds.forEach((kind) => document.removeEventListener(kind, listen));
  }, []);
}
