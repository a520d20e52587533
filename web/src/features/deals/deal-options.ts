import type { Answer } from '@forecourt/contract/api';
import { identityColumns, type ViewColumnName } from '@forecourt/contract/permission-defaults';

/** What the cells of a row offer, and which columns exist for this person. */
export type DealOptions = Answer<'GET /deals/options'>;

/** Columns that say which row it is and exist for everybody: nobody can be kept from them, or be in them to type. */
const everybodys: readonly string[] = identityColumns;

/** A column as the contract names it: the fate of a row's mail goes with when it was sent. */
export const contractColumn = (id: string): ViewColumnName =>
  (id === 'emailStatus' ? 'lastEmailedAt' : id) as ViewColumnName;

/** Whether a column exists for this person (product section 4, Restrictions). */
export const existsFor = ({ columns }: DealOptions, id: string): boolean =>
  everybodys.includes(id) || (columns as readonly string[]).includes(contractColumn(id));
