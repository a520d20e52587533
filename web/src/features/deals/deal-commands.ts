import type { Command, RowStore } from '../../grid/grid.ts';
import { createCellSteps, type CellEdits } from './deal-cell-steps.ts';
import type { FieldEdit } from './deal-draft.ts';
import { isDealField } from './deal-fields.ts';
import type { MonthMoves } from './deal-month-moves.ts';
import type { Outbox, RowEdits } from './deal-outbox.ts';
import type { DealRow } from './deal-row.ts';
import type { DealTable } from './deal-table.ts';
import type { DealUndo } from './deal-undo.ts';

type CommandPorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  readonly table: Pick<DealTable, 'addRows' | 'dropEmpty' | 'takeBack'>;
  readonly outbox: Pick<Outbox, 'draftOf' | 'discard' | 'giveUp' | 'settled' | 'type' | 'typeAll'>;
  readonly moves: Pick<MonthMoves, 'has' | 'change'>;
  readonly history: Pick<DealUndo, 'record'>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly ownVersion: (id: string) => number | undefined;
};

/** A command of the grid, or changes that a form makes. */
export type DealCommand = Pick<Command, 'changes'> & Partial<Command>;

/** More rows than this are an import. */
const MOST_NEW_ROWS = 5000;

/** Takes in what somebody does in the table or in a form: remembers it for undo, keeps it and sends it. */
export function createDealCommands(ports: CommandPorts) {
  const { rows, table, outbox } = ports;
  let added: readonly string[] = [];

  /** Row by row. A single row is somebody typing, who waits for nothing. */
  function send(edits: CellEdits, month: string): void {
    const forgiven = edits.forgiven.map((cell) => ({ ...cell, refusal: null }));
    const refused = edits.refused.map(({ key, columnId, ...refusal }) => ({ key, columnId, refusal }));
    const byRow = [...Map.groupBy([...forgiven, ...edits.changes, ...refused], ({ key }) => key)].map(
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
    if (first && others.length === 0) outbox.type(first, month);
    else void outbox.typeAll(byRow, month);
  }

  const cellStep = createCellSteps({ ...ports, apply: send });

  return {
    /** @param month what new rows get */
    onCommand: ({ changes, refused = [], forgiven = [] }: DealCommand, month: string): void => {
      const edits = { changes, refused, forgiven };
      ports.history.record(cellStep(edits, month));
      send(edits, month);
      // A row for which nothing but blocked cells was pasted is none.
      table.dropEmpty(added);
      added = [];
    },

    /** Rows for a paste that is longer than the table; answers the keys of as many as it gets. */
    addRows: (count: number): readonly string[] => {
      added = table.addRows(Math.min(count, MOST_NEW_ROWS));
      return added;
    },
  };
}
