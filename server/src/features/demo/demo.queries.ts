import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** The request id of audit entries written when the demo was filled. */
export const FILLED = 'demo';

/** The user agent of the demo's own sessions, which distinguishes them from sessions of visitors. */
export const DEMO_USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0';

/** Returns a user's actions since the demo was filled. */
export async function actionsOf(db: Db | Tx, userId: string) {
  const done = await db
    .selectFrom('audit_entries')
    .select('action')
    .distinct()
    .where('actor_id', '=', userId)
    .where('action', 'in', ['deal.created', 'email.created'])
    .where('request_id', '<>', FILLED)
    .execute();
  const has = (action: string) => done.some((entry) => entry.action === action);
  return { hasTypedRow: has('deal.created'), hasSentEmail: has('email.created') };
}

/** Returns active users without a mail server, or with the server of a previous start of the demo. */
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

/** Returns the addresses of users who used a session within the last five minutes, except the demo's own sessions. */
export async function activePeople(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.email')
    .where('sessions.user_agent', '<>', DEMO_USER_AGENT)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.last_used_at', '>', sql<string>`now() - interval '5 minutes'`)
    .execute();
  return new Set(rows.map(({ email }) => email));
}
