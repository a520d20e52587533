import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** The constraint that a key is one row of its writer. */
export const DRAFT_KEY = 'deals_draft_key';

/** Of these keys those that rows of this writer have, deleted ones too, with the rows' ids. */
export async function idsByDraftKey(
  db: Tx,
  createdBy: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('deals')
    .where('created_by', '=', createdBy)
    .where(sql<boolean>`draft_key = any(${keys}::uuid[])`)
    .select(['id', sql<string>`replace(draft_key::text, '-', '')`.as('key')])
    .execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}
