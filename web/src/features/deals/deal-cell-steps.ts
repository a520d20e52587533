import { reversed, type Change, type RefusedText, type RowStore } from '../../grid/grid.ts';
import { texts } from '../../texts/deal-undo.ts';
import type { Outbox } from './deal-outbox.ts';
import { isBlank, type DealRow } from './deal-row.ts';
import type { DealTable } from './deal-table.ts';
import type { Step, UndoOutcome } from './deal-undo.ts';

/** What becomes of cells: values, texts that were refused, and such texts of before that are over. */
export type CellEdits = {
  readonly changes: readonly Change[];
  readonly refused: readonly RefusedText[];
  readonly forgiven: readonly RefusedText[];
};

type CellStepPorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  readonly table: Pick<DealTable, 'takeBack'>;
  readonly outbox: Pick<Outbox, 'draftOf' | 'discard' | 'settled'>;
  /** The way of everything typed: stored, sent on the version that was seen, asked about when somebody was first. */
  readonly apply: (edits: CellEdits, month: string) => void;
  readonly remove: (id: string) => Promise<unknown>;
  /** The version of a row that was made here and is nobody else's work: undefined or a later one is. */
  readonly ownVersion: (id: string) => number | undefined;
};

/** Rows that are deleted at the same time. */
const AT_ONCE = 4;

const cellsOf = ({ changes, refused, forgiven }: CellEdits) => [...forgiven, ...changes, ...refused];

/** The edits of those rows that are chosen. */
const editsOf = (edits: CellEdits, isChosen: (key: string) => boolean): CellEdits => ({
  changes: edits.changes.filter(({ key }) => isChosen(key)),
  refused: edits.refused.filter(({ key }) => isChosen(key)),
  forgiven: edits.forgiven.filter(({ key }) => isChosen(key)),
});

const countCells = (edits: CellEdits): number =>
  new Set(cellsOf(edits).map(({ key, columnId }) => `${key} ${columnId}`)).size;

/** Typing, pasting, filling and clearing as steps: rows that began with one go with it. */
export function createCellSteps(ports: CellStepPorts) {
  const { rows, table, outbox, apply } = ports;

  /** Why a row that was made here is not taken back; null when it was. */
  async function takeBack(key: string): Promise<string | null> {
    if (rows.get(key)?.deal === null && outbox.draftOf(key)?.attempt) await outbox.settled(key);
    const row = rows.get(key);
    if (!row) return null;
    if (row.deal === null) {
      if (outbox.draftOf(key)?.attempt) return texts.onItsWay;
      outbox.discard(key);
      return null;
    }
    const { deal } = row;
    if (ports.ownVersion(deal._id) !== deal.version) return texts.changedSince;
    if (deal.abilities.delete !== true) return texts.mayNotDelete;
    outbox.discard(key);
    return ports.remove(deal._id).then(
      () => {
        table.takeBack(deal._id);
        return null;
      },
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : texts.failed),
    );
  }

  /** Takes rows back a few at a time; answers the reasons of those that stay. */
  async function takeBackAll(made: ReadonlySet<string>): Promise<Map<string, string>> {
    const stays = new Map<string, string>();
    const left = [...made];
    const work = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const reason = await takeBack(key);
        if (reason !== null) stays.set(key, reason);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return stays;
  }

  /**
   * The step that these edits are. Call it before they are applied: a row into which nothing was typed yet begins
   * with them.
   * @param month what new rows get
   */
  return (edits: CellEdits, month: string): Step => {
    const cells = cellsOf(edits);
    const made = new Set(
      cells
        .map(({ key }) => key)
        .filter((key) => {
          const row = rows.get(key);
          return row !== undefined && isBlank(row);
        }),
    );
    const outcome = (words: string, isWhole: boolean): UndoOutcome => ({ words, isWhole, cells });

    return {
      async undo() {
        const back = editsOf(edits, (key) => !made.has(key) && rows.get(key) !== undefined);
        apply({ changes: reversed(back.changes), refused: back.forgiven, forgiven: back.refused }, month);
        const stays = await takeBackAll(made);
        const [reason] = stays.values();
        if (reason !== undefined) return outcome(texts.stays(stays.size, reason), false);
        const isGone = cellsOf(back).length === 0 && made.size === 0;
        return isGone ? outcome(texts.gone, false) : outcome(texts.undone(countCells(edits)), true);
      },

      redo() {
        // A new row that could not be taken back is still there, and is not made twice.
        apply(
          editsOf(edits, (key) => made.has(key) !== (rows.get(key) !== undefined)),
          month,
        );
        return Promise.resolve(outcome(texts.redone(countCells(edits)), true));
      },
    };
  };
}
