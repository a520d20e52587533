import { sql, type RawBuilder } from 'kysely';
import { auditMany } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { notify } from '../../platform/notify.ts';
import * as queries from './delivery.queries.ts';

export type HeldMail = ReturnType<typeof createHeldMail>;

type Counted = { total: number };
type Settled = {
  status?: RawBuilder<string>;
  answer?: RawBuilder<string>;
  next_attempt_at: RawBuilder<string> | null;
};

/** Notifies administrators that messages are held: they may release them. */
export async function notifyHeld(tx: Tx, emailIds: readonly string[]): Promise<void> {
  const administrators = emailIds.length === 0 ? [] : await queries.listAdministrators(tx);
  const concerns = administrators.flatMap(({ id: userId }) =>
    emailIds.map((recordId) => ({ userId, recordId })),
  );
  await notify(tx, 'mailHeld', null, concerns);
}

/** Messages that are overdue or were restored by a backup, until an administrator releases or cancels them. */
export function createHeldMail() {
  /** Changes all held messages, each with an audit entry. */
  const settle = (ctx: Context, fields: Settled): Promise<Counted> =>
    inTransaction(ctx, async (inner) => {
      const rows = await inner.db
        .updateTable('emails')
        .set({
          ...fields,
          held_at: null,
          hold_reason: null,
          first_attempt_at: null,
          version: sql`version + 1`,
          updated_at: sql`now()`,
        })
        .where('held_at', 'is not', null)
        .returning(['id', 'version', 'status'])
        .execute();
      const records = rows.map(({ id, version, status }) => ({
        recordId: id,
        version,
        before: { held: true },
        after: { held: false, status },
      }));
      await auditMany(inner, 'email.updated', records);
      return { total: rows.length };
    });

  return {
    count: async (ctx: Context): Promise<Counted> =>
      ctx.db
        .selectFrom('emails')
        .where('held_at', 'is not', null)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),

    /** Releases all held messages. They are sent when due; overdue ones at the next check of the queue. */
    release: (ctx: Context) =>
      settle(ctx, { next_attempt_at: sql<string>`greatest(coalesce(next_attempt_at, now()), now())` }),

    discard: (ctx: Context) =>
      settle(ctx, {
        ...queries.endedAs(
          sql`'cancelled'`,
          sql`case hold_reason when 'overdue' then 'Cancelled: it was overdue after a long stop.'
            else 'Cancelled after a restore.' end`,
        ),
        next_attempt_at: null,
      }),
  };
}
