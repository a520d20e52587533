import { MAX_HISTORY_ENTRIES } from '@forecourt/contract/deal-limits';
import type { Db, Tx } from '../../platform/db/database.ts';

export const listEntries = (db: Db | Tx, dealershipId: string) =>
  db
    .selectFrom('audit_entries')
    .where('record_id', '=', dealershipId)
    .where('entity', '=', 'dealership')
    .orderBy('id', 'desc')
    .limit(MAX_HISTORY_ENTRIES)
    .select(['id', 'action', 'created_at', 'actor_name', 'before', 'after'])
    .execute();
