import { reversed, type Change, type RefusedText, type RowStore } from '../../grid/grid.ts';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/deal-undo.ts';
import { isDealField, sameValue } from './deal-fields.ts';
import type { MonthMoves } from './deal-month-moves.ts';
import type { Outbox } from './deal-outbox.ts';
import { isBlank, type DealRow, valueOf } from './deal-row.ts';
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
  readonly outbox: Pick<Outbox, 'draftOf' | 'discard' | 'giveUp' | 'settled'>;
  readonly moves: Pick<MonthMoves, 'has' | 'change'>;
  /** The way of everything typed: stored, sent on the version that was seen, asked about when somebody was first. */
  readonly apply: (edits: CellEdits, month: string) => void;
  readonly remove: (id: string) => Promise<unknown>;
  /** The version of a row that was made here and is nobody else's work: undefined or a later one is. */
  readonly ownVersion: (id: string) => number | undefined;
};

/** Rows that are deleted or moved back at the same time. */
const AT_ONCE = 4;

/** Does something with each a few at a time. */
async function forEach<T>(all: Iterable<T>, act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

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

  /** Whether what a change has typed waits for a decision: nobody has it but this person. */
  function isHeld({ key, columnId, after }: Change): boolean {
    const typed = isDealField(columnId) ? outbox.draftOf(key)?.typed[columnId] : undefined;
    return typed?.hold !== undefined && sameValue(typed.value, after);
  }

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

  /** A change over what its cell shows now. */
  function afresh(change: Change): Change {
    const row = rows.get(change.key);
    return row && isDealField(change.columnId)
      ? { ...change, before: valueOf(row, change.columnId) }
      : change;
  }

  /** Whether a cell is closed to its person by now: what is taken back may have handed the row over. */
  function isClosed({ key, columnId }: Change): boolean {
    const abilities = rows.get(key)?.deal?.abilities;
    return typeof (columnId === 'owner' ? abilities?.transfer : abilities?.edit) === 'string';
  }

  /** What to say of changes that are left out because of that; null: there are none. */
  function leftToOwners(closed: readonly Change[]): string | null {
    const keys = new Set(closed.map(({ key }) => key));
    return keys.size === 0 ? null : texts.notAllowed(keys.size);
  }

  /** Takes rows back a few at a time; answers the reasons of those that stay. */
  async function takeBackAll(made: ReadonlySet<string>): Promise<Map<string, string>> {
    const stays = new Map<string, string>();
    await forEach(made, async (key) => {
      const reason = await takeBack(key);
      if (reason !== null) stays.set(key, reason);
    });
    return stays;
  }

  /**
   * Gives rows that were moved to the current month their values by one change each, with the month where that comes
   * back too. Answers what is in the way; null: nothing is.
   */
  async function changeMoved(changes: readonly Change[], isBack: boolean): Promise<UndoOutcome | null> {
    let refused = 0;
    let failure: unknown = null;
    await forEach(
      Map.groupBy(changes, ({ key }) => key),
      async ([key, ofRow]) => {
        const values = Object.fromEntries(ofRow.map(({ columnId, after }) => [columnId, after]));
        await ports.moves.change(key, values, isBack).catch((thrown: unknown) => {
          const isRefused = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;
          if (isRefused) refused += 1;
          else failure = thrown;
        });
      },
    );
    if (failure !== null)
      return { words: texts.notUndone(messageOf(failure)), isWhole: false, isFailed: true };
    return refused === 0 ? null : { words: texts.leftAlone(refused), isWhole: false };
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

    let done = edits;
    let givenUp = new Set<Change>();

    return {
      async undo() {
        // Typing the old value over what somebody else has written since would be one more change in conflict.
        const held = done.changes.filter((change) => !made.has(change.key) && isHeld(change));
        givenUp = new Set([...givenUp, ...held]);
        for (const { key, columnId } of held) if (isDealField(columnId)) outbox.giveUp(key, columnId);
        const saved = done.changes.filter((change) => !givenUp.has(change));
        const isMoved = (key: string): boolean => !made.has(key) && ports.moves.has(key);
        const moved = new Set(saved.map(({ key }) => key).filter(isMoved));
        const inTheWay = await changeMoved(reversed(saved.filter(({ key }) => moved.has(key))), true);
        if (inTheWay?.isFailed) return inTheWay;
        const back = editsOf(done, (key) => !made.has(key) && rows.get(key) !== undefined);
        const others = back.changes.filter((change) => !givenUp.has(change) && !moved.has(change.key));
        const [closed, open] = [others.filter(isClosed), others.filter((change) => !isClosed(change))];
        apply({ changes: reversed(open), refused: back.forgiven, forgiven: back.refused }, month);
        const stays = await takeBackAll(made);
        const [reason] = stays.values();
        if (reason !== undefined) return outcome(texts.stays(stays.size, reason), false);
        if (inTheWay) return inTheWay;
        const leftAlone = leftToOwners(closed);
        if (leftAlone !== null) return outcome(leftAlone, false);
        const isGone = cellsOf(back).length === 0 && made.size === 0;
        return isGone ? outcome(texts.gone, false) : outcome(texts.undone(countCells(edits)), true);
      },

      async redo() {
        const isAway = (key: string): boolean =>
          !made.has(key) && rows.get(key) === undefined && ports.moves.has(key);
        const inTheWay = await changeMoved(
          done.changes.filter(({ key }) => isAway(key)),
          false,
        );
        if (inTheWay?.isFailed) return inTheWay;
        const changes = done.changes.map((change) => (givenUp.has(change) ? afresh(change) : change));
        done = { ...done, changes };
        givenUp = new Set();
        // A new row that could not be taken back is still there, and is not made twice.
        const again = editsOf(done, (key) => made.has(key) !== (rows.get(key) !== undefined));
        apply({ ...again, changes: again.changes.filter((change) => !isClosed(change)) }, month);
        const leftAlone = leftToOwners(again.changes.filter(isClosed));
        if (leftAlone !== null) return outcome(leftAlone, false);
        return inTheWay ?? outcome(texts.redone(countCells(edits)), true);
      },
    };
  };
}
