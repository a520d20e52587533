import { sql, type RawBuilder } from 'kysely';
import { auditMany } from '../../platform/audit.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';

export type ParkedMail = ReturnType<typeof createParkedMail>;

type Counted = { total: number };
type Settled = { status?: string; answer?: string; next_attempt_at: RawBuilder<string> | null };

/** Messages that a restore brought back: they wait until an administrator lets them go or not (product.md section 10). */
export function createParkedMail() {
  /** All of them, each with its audit entry. */
  const settle = (ctx: Context, fields: Settled): Promise<Counted> =>
    inTransaction(ctx, async (inner) => {
      const rows = await inner.db
        .updateTable('emails')
        .set({ ...fields, parked_at: null, version: sql`version + 1`, updated_at: sql`now()` })
        .where('parked_at', 'is not', null)
        .returning(['id', 'version', 'status'])
        .execute();
      const entry = { action: 'email.updated', entity: 'email' } as const;
      const records = rows.map(({ id, version, status }) => ({
        recordId: id,
        version,
        before: { parked: true },
        after: { parked: false, status },
      }));
      await auditMany(inner.db, ctx, entry, records);
      return { total: rows.length };
    });

  return {
    count: async (ctx: Context): Promise<Counted> =>
      ctx.db
        .selectFrom('emails')
        .where('parked_at', 'is not', null)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),

    /** They go out when they are due; what was due meanwhile, at the next look at the queue. */
    release: (ctx: Context) =>
      settle(ctx, { next_attempt_at: sql<string>`greatest(coalesce(next_attempt_at, now()), now())` }),

    discard: (ctx: Context) =>
      settle(ctx, { status: 'cancelled', answer: 'Cancelled after a restore.', next_attempt_at: null }),
  };
}
