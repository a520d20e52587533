import {
  reversed,
  type CellAddress,
  type CellValue,
  type Change,
  type RefusedText,
  type RowStore,
  sameValue,
} from '../../../grid/grid.ts';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { createStepSets, newChangeSet, type NewChangeSet, type StepSets } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { isDealField, type DealField } from '../deal-fields.ts';
import { isBlank, type DealCommand, type DealRow, valueOf } from '../deal-row.ts';
import type { DraftSync, RowEdits } from '../sync/draft-sync.ts';
import type { FieldEdit } from '../sync/draft.ts';
import { isRefusal, type Step, type UndoOutcome } from '../undo-step.ts';
import type { DealTable } from './deal-table.ts';
import type { MonthMoves } from './month-moves.ts';
import type { UndoStack } from './undo-stack.ts';

/** Edits of cells: values, refused texts, and earlier refused texts that are cleared. */
export type CellEdits = {
  readonly changes: readonly Change[];
  readonly refused: readonly RefusedText[];
  readonly cleared: readonly RefusedText[];
};

/** An undo step. `take` adds the change of a refused text of the step that became valid. */
type CellStep = Step & { readonly take: (change: Change) => void };

type CellStepPorts = {
  readonly rows: Pick<RowStore<DealRow>, 'get'>;
  readonly table: Pick<DealTable, 'undoCreate'>;
  readonly draftSync: Pick<DraftSync, 'draftOf' | 'discard' | 'discardField' | 'whenSettled'>;
  readonly moves: Pick<MonthMoves, 'has' | 'change'>;
  /** Stores edits, sends them with the version that the user saw, and checks for conflicts. */
  readonly apply: (edits: CellEdits, month: string, changeSet: NewChangeSet) => void;
  readonly remove: (id: string, changeSet: NewChangeSet) => Promise<unknown>;
  /** Deletes all of these rows or none. */
  readonly removeAll: (ids: string[], changeSet: NewChangeSet) => Promise<unknown>;
  /** Whether a row can get this value, which may be inactive by now. */
  readonly isOffered: (field: DealField, value: CellValue, current: CellValue) => boolean;
  /** Returns the version of a row that was created here and changed by no other user; otherwise undefined. */
  readonly localVersion: (id: string) => number | undefined;
};

/** Number of rows deleted or moved concurrently. */
const CONCURRENCY = 4;

/** Runs a function for each item with limited concurrency. */
async function forEach<T>(all: Iterable<T>, act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

const cellsOf = ({ changes, refused, cleared }: CellEdits) => [...cleared, ...changes, ...refused];

const editsOf = (edits: CellEdits, isChosen: (key: string) => boolean): CellEdits => ({
  changes: edits.changes.filter(({ key }) => isChosen(key)),
  refused: edits.refused.filter(({ key }) => isChosen(key)),
  cleared: edits.cleared.filter(({ key }) => isChosen(key)),
});

const cellOf = ({ key, columnId }: CellAddress): string => `${key} ${columnId}`;

const countCells = (edits: CellEdits): number => new Set(cellsOf(edits).map(cellOf)).size;

/** Creates undo steps for typing, pasting, filling and clearing. Undoing a step also removes rows that it created. */
export function createCellSteps(ports: CellStepPorts) {
  const { rows, table, draftSync, apply } = ports;

  /** Whether the value of a change was never sent, because it needs a decision. */
  function isUnsent({ key, columnId, after }: Change): boolean {
    const typed = isDealField(columnId) ? draftSync.draftOf(key)?.typed[columnId] : undefined;
    return typed?.hold !== undefined && sameValue(typed.value, after);
  }

  /** Discards the edits of a row created here. Returns its id if it must be deleted, or why it stays. */
  async function discardCreated(key: string): Promise<{ id?: string; reason?: string }> {
    if (rows.get(key)?.deal === null && draftSync.draftOf(key)?.attempt) await draftSync.whenSettled(key);
    const row = rows.get(key);
    if (!row) return {};
    const { deal } = row;
    if (deal === null) {
      if (draftSync.draftOf(key)?.attempt) return { reason: texts.onItsWay };
      draftSync.discard(key);
      return {};
    }
    if (ports.localVersion(deal._id) !== deal.version) return { reason: texts.changedSince };
    if (deal.abilities.delete !== true) return { reason: texts.mayNotDelete };
    draftSync.discard(key);
    return { id: deal._id };
  }

  /** Returns the change with the cell's current value as the value before. */
  function rebase(change: Change): Change {
    const row = rows.get(change.key);
    return row && isDealField(change.columnId)
      ? { ...change, before: valueOf(row, change.columnId) }
      : change;
  }

  /** Whether the user may no longer edit the cell, for example because the undone step transferred the row. */
  function isClosed({ key, columnId }: Change): boolean {
    const abilities = rows.get(key)?.deal?.abilities;
    return typeof (columnId === 'owner' ? abilities?.transfer : abilities?.edit) === 'string';
  }

  function isLeftOut(change: Change): boolean {
    const row = rows.get(change.key);
    const { columnId, after } = change;
    if (!row || !isDealField(columnId)) return false;
    return isClosed(change) || !ports.isOffered(columnId, after, valueOf(row, columnId));
  }

  /** Returns a message about changes that are skipped for that reason; null if there are none. */
  function describeLeftOut(leftOut: readonly Change[]): string | null {
    const closed = new Set(leftOut.filter(isClosed).map(({ key }) => key));
    if (closed.size > 0) return texts.notAllowed(closed.size);
    return leftOut.length === 0 ? null : texts.notOffered(leftOut.length);
  }

  /** Deletes rows that were created here. Returns the error of each that stays. */
  async function deleteCreated(ids: string[], changeSet: NewChangeSet): Promise<unknown[]> {
    if (ids.length > 1) {
      try {
        await ports.removeAll(ids, changeSet);
        ids.forEach(table.undoCreate);
        return [];
      } catch (thrown) {
        // A refusal may have been caused by one row, so each is deleted separately.
        if (!isRefusal(thrown)) return ids.map(() => thrown);
      }
    }
    const errors: unknown[] = [];
    await forEach(ids, (id) =>
      ports.remove(id, changeSet).then(
        () => table.undoCreate(id),
        (thrown: unknown) => void errors.push(thrown),
      ),
    );
    return errors;
  }

  /** Removes created rows. Returns the reasons of rows that stay. */
  async function undoCreateAll(created: ReadonlySet<string>, changeSet: NewChangeSet): Promise<string[]> {
    const ids: string[] = [];
    const reasons: string[] = [];
    await forEach(created, async (key) => {
      const { id, reason } = await discardCreated(key);
      if (id !== undefined) ids.push(id);
      if (reason !== undefined) reasons.push(reason);
    });
    return [...reasons, ...(await deleteCreated(ids, changeSet)).map((thrown) => messageOf(thrown))];
  }

  /**
   * Sets the values of rows that were moved to the current month, and their former month if it is restored too. Returns
   * the outcome if some fail, otherwise null.
   */
  async function changeMoved(
    changes: readonly Change[],
    isBack: boolean,
    changeSet: NewChangeSet,
  ): Promise<UndoOutcome | null> {
    let refused = 0;
    let closed: unknown = null;
    let failure: unknown = null;
    await forEach(
      Map.groupBy(changes, ({ key }) => key),
      async ([key, ofRow]) => {
        const values = Object.fromEntries(ofRow.map(({ columnId, after }) => [columnId, after]));
        await ports.moves.change(key, values, isBack, changeSet).catch((thrown: unknown) => {
          if (thrown instanceof ApiError && thrown.code === 'MONTH_CLOSED') closed = thrown;
          else if (isRefusal(thrown)) refused += 1;
          else failure = thrown;
        });
      },
    );
    if (failure !== null)
      return { message: texts.notUndone(messageOf(failure)), isComplete: false, isFailed: true };
    if (closed !== null) return { message: texts.notUndone(messageOf(closed)), isComplete: false };
    return refused === 0 ? null : { message: texts.leftAlone(refused), isComplete: false };
  }

  /**
   * Returns the step for these edits. Must be called before they are applied, because rows without edits are created by
   * them.
   * @param month month of new rows
   * @param sets change sets of its undo and redo
   */
  return (edits: CellEdits, month: string, sets: StepSets): CellStep => {
    const cells = cellsOf(edits);
    const created = new Set(
      cells
        .map(({ key }) => key)
        .filter((key) => {
          const row = rows.get(key);
          return row !== undefined && isBlank(row);
        }),
    );
    const outcome = (message: string, isComplete: boolean): UndoOutcome => ({ message, isComplete, cells });

    let done = edits;
    let discarded = new Set<Change>();

    return {
      take(change) {
        const refused = done.refused.filter((cell) => cellOf(cell) !== cellOf(change));
        done = { ...done, changes: [...done.changes, change], refused };
      },

      async undo() {
        const changeSet = sets.undo();
        // Writing the old value over another user's value would cause one more conflict.
        const unsent = done.changes.filter((change) => !created.has(change.key) && isUnsent(change));
        discarded = new Set([...discarded, ...unsent]);
        for (const { key, columnId } of unsent)
          if (isDealField(columnId)) draftSync.discardField(key, columnId);
        const saved = done.changes.filter((change) => !discarded.has(change));
        const isMoved = (key: string): boolean => !created.has(key) && ports.moves.has(key);
        const moved = new Set(saved.map(({ key }) => key).filter(isMoved));
        const changedBack = reversed(saved.filter(({ key }) => moved.has(key)));
        const obstacle = await changeMoved(changedBack, true, changeSet);
        if (obstacle?.isFailed) return obstacle;
        const back = editsOf(done, (key) => !created.has(key) && rows.get(key) !== undefined);
        const others = reversed(
          back.changes.filter((change) => !discarded.has(change) && !moved.has(change.key)),
        );
        const changes = others.filter((change) => !isLeftOut(change));
        const leftOut = describeLeftOut(others.filter(isLeftOut));
        apply({ changes, refused: back.cleared, cleared: back.refused }, month, changeSet);
        const stayReasons = await undoCreateAll(created, changeSet);
        const [reason] = stayReasons;
        if (reason !== undefined) return outcome(texts.stays(stayReasons.length, reason), false);
        if (obstacle) return obstacle;
        if (leftOut !== null) return outcome(leftOut, false);
        const isRemoved = cellsOf(back).length === 0 && created.size === 0;
        return isRemoved ? outcome(texts.gone, false) : outcome(texts.undone(countCells(edits)), true);
      },

      async redo() {
        const changeSet = sets.redo();
        const isAway = (key: string): boolean =>
          !created.has(key) && rows.get(key) === undefined && ports.moves.has(key);
        const obstacle = await changeMoved(
          done.changes.filter(({ key }) => isAway(key)),
          false,
          changeSet,
        );
        if (obstacle?.isFailed) return obstacle;
        const changes = done.changes.map((change) => (discarded.has(change) ? rebase(change) : change));
        done = { ...done, changes };
        discarded = new Set();
        // A new row that could not be removed still exists, so it is not created again.
        const again = editsOf(done, (key) => created.has(key) !== (rows.get(key) !== undefined));
        const leftOut = describeLeftOut(again.changes.filter(isLeftOut));
        apply({ ...again, changes: again.changes.filter((change) => !isLeftOut(change)) }, month, changeSet);
        if (leftOut !== null) return outcome(leftOut, false);
        return obstacle ?? outcome(texts.redone(countCells(edits)), true);
      },
    };
  };
}

type CommandPorts = Omit<CellStepPorts, 'apply'> & {
  readonly table: Pick<DealTable, 'addRows' | 'dropEmpty'>;
  readonly draftSync: Pick<DraftSync, 'type' | 'typeAll'>;
  readonly history: Pick<UndoStack, 'record'>;
};

/** Returns the change set of a command: edits of a single row belong to the set of the minute. */
function changeSetOf(source: DealCommand['source'], edits: CellEdits): NewChangeSet {
  if (source === 'paste' || source === 'fill') return newChangeSet(source);
  const isOneRow = new Set(cellsOf(edits).map(({ key }) => key)).size === 1;
  return isOneRow ? 'edit' : newChangeSet('bulk');
}

/** Maximum rows of a paste; more rows need an import. */
const MAX_NEW_ROWS = 5000;

/** Handles edits of the table or a form: records an undo step, stores and sends them. */
export function createDealCommands(ports: CommandPorts) {
  const { rows, table, draftSync } = ports;
  let added: readonly string[] = [];

  /** Applies edits row by row. A single row is not batched, so that typing never waits. */
  function send(edits: CellEdits, month: string, changeSet?: NewChangeSet): void {
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
    if (first && others.length === 0) draftSync.type(first, month, changeSet);
    else void draftSync.typeAll(byRow, month, changeSet);
  }

  const cellStep = createCellSteps({ ...ports, apply: send });
  /** The last step that entered each refused text, by cell. */
  const refusedBy = new Map<string, CellStep>();

  return {
    /** @param month month of new rows */
    onCommand: ({ source, changes, refused = [], cleared = [] }: DealCommand, month: string): void => {
      const edits = { changes, refused, cleared };
      const changeSet = changeSetOf(source, edits);
      const step = cellStep(edits, month, createStepSets(changeSet));
      ports.history.record(step);
      for (const cell of refused) refusedBy.set(cellOf(cell), step);
      send(edits, month, changeSet);
      // Removes added rows of a paste that had values only for read-only cells.
      table.dropEmpty(added);
      added = [];
    },

    /** Applies refused texts that became valid, as part of the steps that entered them, for undo. */
    takeRefused: ({ changes, cleared = [] }: DealCommand, month: string): void => {
      for (const change of changes) refusedBy.get(cellOf(change))?.take(change);
      send({ changes, refused: [], cleared }, month);
    },

    /** Adds rows for a paste that is longer than the table. Returns their keys. */
    addRows: (count: number): readonly string[] => {
      added = table.addRows(Math.min(count, MAX_NEW_ROWS));
      return added;
    },
  };
}
