import type { ResponseBody } from '@forecourt/contract/api';
import { identityColumns, type ViewColumnName } from '@forecourt/contract/permission-defaults';

/** The options of cells, and the columns that exist for the user. */
export type DealOptions = ResponseBody<'GET /deals/options'>;

/** Columns that identify a row exist for all users: they can be neither hidden by permissions nor edited. */
const everybodys: readonly string[] = identityColumns;

/** Returns the contract's name of a column: the delivery status belongs to the time of the last email. */
export const contractColumn = (id: string): ViewColumnName =>
  (id === 'emailStatus' ? 'lastEmailedAt' : id) as ViewColumnName;

/** Whether a column exists for the user (docs/product/people-and-permissions.md, Restrictions). */
export const existsFor = ({ columns }: DealOptions, id: string): boolean =>
  everybodys.includes(id) || (columns as readonly string[]).includes(contractColumn(id));
