import { MAX_MERGED_DUPLICATES } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import Merge from 'lucide-react/icons/merge';
import { texts } from '../../../texts/deal-merge.ts';
import { texts as common } from '../../../texts/deals.ts';
import { toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { editAbility, type DealRow } from '../deal-row.ts';
import {
  createAction,
  fitsOneCall,
  manyAbility,
  openerOf,
  savedAbility,
  type ActionTarget,
  type DealAction,
} from './main-actions.ts';

/** Merges several rows, or a row with its possible duplicates. Absent for a row without them. */
export function mergeAction(target: ActionTarget): DealAction | false {
  const { rows, duplicates = [] } = target;
  const isMany = rows.length > 1;
  if (!isMany && duplicates.length === 0) return false;
  return createAction('merge', isMany ? texts.open : texts.openDuplicates, Merge, openerOf(target)('merge'), {
    ability: mergeAbility(rows),
  });
}

type MatchesScope = {
  /** Whether the user may delete any rows. */
  readonly mayDelete: boolean;
  readonly load: () => Promise<readonly DealRow[]>;
  /** Called with the rows that the user may change. The first one stays: a row that the user may not delete. */
  readonly onOpen: (rows: readonly [Deal, Deal, ...Deal[]]) => void;
};

/** Merges the rows that a line of an import matches, which are loaded first. */
export const mergeMatchesAction = ({ mayDelete, load, onOpen }: MatchesScope): DealAction =>
  createAction('mergeMatches', texts.openCandidates, Merge, () => void openMatches(load, onOpen), {
    ability: mayDelete || common.mayNotDelete,
  });

async function openMatches(load: MatchesScope['load'], onOpen: MatchesScope['onOpen']): Promise<void> {
  try {
    const editable = (await load()).filter(({ deal }) => deal && editAbility(deal) === true);
    const ability = editable.length < 2 ? texts.tooFew : mergeAbility(editable);
    if (ability !== true) return toastWarning(ability);
    const [first, second, ...others] = editable
      .flatMap(({ deal }) => deal ?? [])
      .toSorted((a, b) => Number(a.abilities.delete === true) - Number(b.abilities.delete === true));
    if (first && second) onOpen([first, second, ...others]);
  } catch (thrown) {
    toastFailed(thrown, texts.previewFailed);
  }
}

/** Returns `true` if all rows may be changed, otherwise the first reason. */
export function changeAbility(rows: readonly DealRow[], canBulk: boolean, mustBeSaved = true): Ability {
  const there = mustBeSaved || rows.length === 0 ? savedAbility(rows) : true;
  if (there !== true) return there;
  const many = manyAbility(rows.length, canBulk, 'change');
  if (many !== true) return many;
  const abilities = rows.map(({ deal }) => deal === null || editAbility(deal));
  return abilities.find((ability) => ability !== true) ?? true;
}

/** Returns `true` if the rows may be merged, otherwise the first reason. */
function mergeAbility(rows: readonly DealRow[]): Ability {
  const fits = fitsOneCall(rows.length, MAX_MERGED_DUPLICATES + 1);
  if (fits !== true) return fits;
  const change = changeAbility(rows, true);
  if (change !== true) return change;
  // The message about a value that is not saved is beside it.
  if (rows.some(({ draft }) => draft !== undefined)) return texts.changesFirst;
  // A merge deletes all rows but one, so the user must be permitted to delete all others. The duplicates of a single row are
  // not loaded yet; a user without the permission for that row has it for none of them.
  const stay = rows.filter(({ deal }) => deal?.abilities.delete !== true);
  return stay.length <= (rows.length > 1 ? 1 : 0) || common.mayNotDelete;
}
