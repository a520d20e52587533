import type { Answer } from '@forecourt/contract/api';
import type { DealColumn } from '@forecourt/contract/permission-defaults';

/** What the cells of a row offer, and which columns exist for this person. */
export type DealOptions = Answer<'GET /deals/options'>;

/** A column as the contract names it: the fate of a row's mail goes with when it was sent. */
export const contractColumn = (id: string): DealColumn =>
  (id === 'emailStatus' ? 'lastEmailedAt' : id) as DealColumn;

/** Whether a column exists for this person (product section 4, Restrictions). */
export const existsFor = ({ columns }: DealOptions, id: string): boolean =>
  columns.includes(contractColumn(id));
