import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import type { Ability } from '@forecourt/contract/route';
import { texts } from '../../../texts/deals.ts';

/** An action on many rows, as a verb. */
type ManyAction = 'change' | 'delete' | 'email' | 'hand over';

/**
 * Returns whether one call may contain so many rows, or what to do instead. Such a call is all or none
 * (docs/product/api.md, All or nothing).
 */
export const fitsOneCall = (rows: number): Ability => rows <= MAX_BULK_RECORDS || texts.tooManyRows(rows);

/** Returns whether the user may act on so many rows at once, or why not. */
export const manyAbility = (rows: number, canBulk: boolean, action: ManyAction): Ability =>
  rows > 1 && !canBulk ? texts.mayNotBulk(action) : fitsOneCall(rows);
