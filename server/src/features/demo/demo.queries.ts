import type { Db, Tx } from '../../platform/db/database.ts';

/** What one person did by themselves. The demo's own rows are not written down one by one, so they do not count. */
export async function triedBy(db: Db | Tx, userId: string) {
  const done = await db
    .selectFrom('audit_entries')
    .select('action')
    .distinct()
    .where('actor_id', '=', userId)
    .where('action', 'in', ['deal.created', 'email.created'])
    .execute();
  const has = (action: string) => done.some((entry) => entry.action === action);
  return { hasTypedRow: has('deal.created'), hasSentEmail: has('email.created') };
}

/** Who has no mail server, or the one that a demo of before gave them: all active people with their addresses. */
export const withoutOwnServer = (db: Db | Tx, host: string, user: string) =>
  db
    .selectFrom('users')
    .leftJoin('email_settings', 'email_settings.user_id', 'users.id')
    .select(['users.id', 'users.email'])
    .where('users.is_active', '=', true)
    .where((eb) =>
      eb.or([
        eb('email_settings.user_id', 'is', null),
        eb.and([
          eb('email_settings.smtp_host', '=', host),
          eb('email_settings.smtp_user', '=', user),
          eb('email_settings.provider', 'is', null),
        ]),
      ]),
    )
    .orderBy('users.id')
    .execute();
