import type { Command, RowStore } from '../../../grid/grid.ts';
import { isDealField } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import type { DealTable } from '../store/deal-table.ts';
import type { MonthMoves } from '../store/month-moves.ts';
import type { UndoStack } from '../store/undo-stack.ts';
import type { DraftSync, RowEdits } from '../sync/draft-sync.ts';
import type { FieldEdit } from '../sync/draft.ts';
import { createCellSteps, type CellEdits } from './cell-steps.ts';

type CommandPorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  readonly table: Pick<DealTable, 'addRows' | 'dropEmpty' | 'undoCreate'>;
  readonly draftSync: Pick<
    DraftSync,
    'draftOf' | 'discard' | 'discardField' | 'whenSettled' | 'type' | 'typeAll'
  >;
  readonly moves: Pick<MonthMoves, 'has' | 'change'>;
  readonly history: Pick<UndoStack, 'record'>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly localVersion: (id: string) => number | undefined;
};

/** A command of the grid, or changes from a form. */
export type DealCommand = Pick<Command, 'changes'> & Partial<Command>;

/** Limit of rows in a paste. More are imported. */
const MAX_NEW_ROWS = 5000;

/** Handles edits from the table or a form: records an undo step, stores and sends them. */
export function createDealCommands(ports: CommandPorts) {
  const { rows, table, draftSync } = ports;
  let added: readonly string[] = [];

  /** Applies edits row by row. A single row is not batched, so that typing never waits. */
  function send(edits: CellEdits, month: string): void {
    const cleared = edits.cleared.map((cell) => ({ ...cell, refusal: null }));
    const refused = edits.refused.map(({ key, columnId, ...refusal }) => ({ key, columnId, refusal }));
    const byRow = [...Map.groupBy([...cleared, ...edits.changes, ...refused], ({ key }) => key)].map(
      ([key, ofRow]): RowEdits => ({
        key,
        deal: rows.get(key)?.deal ?? null,
        edits: ofRow.flatMap((cell): FieldEdit[] => {
          if (!isDealField(cell.columnId)) return [];
          const field = cell.columnId;
          return [
            'refusal' in cell
              ? { field, refusal: cell.refusal }
              : { field, before: cell.before, after: cell.after },
          ];
        }),
      }),
    );
    const [first, ...others] = byRow;
    if (first && others.length === 0) draftSync.type(first, month);
    else void draftSync.typeAll(byRow, month);
  }

  const cellStep = createCellSteps({ ...ports, apply: send });

  return {
    /** @param month month of new rows */
    onCommand: ({ changes, refused = [], cleared = [] }: DealCommand, month: string): void => {
      const edits = { changes, refused, cleared };
      ports.history.record(cellStep(edits, month));
      send(edits, month);
      // Removes added rows for which only read-only cells were pasted.
      table.dropEmpty(added);
      added = [];
    },

    /** Adds rows for a paste that is longer than the table. Returns their keys. */
    addRows: (count: number): readonly string[] => {
      added = table.addRows(Math.min(count, MAX_NEW_ROWS));
      return added;
    },
  };
}
