import { MOST_AT_ONCE } from '@forecourt/contract/deal-limits';
import type { Ability } from '@forecourt/contract/route';
import { texts } from '../../texts/deals.ts';

/** Whether one call takes so many rows, or what to do: such a call is all of them or none (product section 3). */
export const fitsOneCall = (rows: number): Ability => rows <= MOST_AT_ONCE || texts.tooManyRows(rows);

/** Whether somebody may change so many rows at once, or why not. */
export const manyAbility = (rows: number, mayBulk: boolean): Ability =>
  rows > 1 && !mayBulk ? texts.mayNotBulk : fitsOneCall(rows);
