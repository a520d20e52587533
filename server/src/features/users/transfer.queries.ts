import type { Db, Tx } from '../../platform/db/database.ts';

/** Counts the records of each kind that a user owns, without deleted deals. */
export const countOwned = (db: Db | Tx, ownerId: string) =>
  db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('dealerships')
        .where('owner_id', '=', ownerId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('dealerships'),
      eb
        .selectFrom('email_templates')
        .where('owner_id', '=', ownerId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('emailTemplates'),
      eb
        .selectFrom('items')
        .where('owner_id', '=', ownerId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('items'),
      eb
        .selectFrom('deals')
        .where('owner_id', '=', ownerId)
        .where('deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('deals'),
      eb
        .selectFrom('deal_views')
        .where('owner_id', '=', ownerId)
        .where('is_shared', '=', true)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('dealViews'),
    ])
    .executeTakeFirstOrThrow();
