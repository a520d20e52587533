import type { DealsWithoutRate } from '@forecourt/contract/deal-rates';
import { inTransaction, type Context } from '../../../platform/http/context.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { SetOwner } from '../../../platform/sharing/records.ts';
import type { SettingsService } from '../../settings/settings.service.ts';
import { changeDeals } from './change-deals.queries.ts';
import * as queries from './deal-rates.queries.ts';

/** Number of rows per statement. */
const BATCH = 2000;

const cents = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + Math.round((amount ?? 0) * 100), 0);

/** Sets the rates of rows that were saved before there was one (docs/product/data-entry.md, Rows without a rate). */
export function createDealRates(settings: Pick<SettingsService, 'commissionRates'>) {
  const ratesOfOwners = async (ctx: Pick<Context, 'db'>): Promise<queries.OwnerRates[]> =>
    Promise.all(
      (await queries.ownersWithoutRate(ctx.db)).map(async (owner) => ({
        owner,
        ...(await settings.commissionRates(ctx, owner)),
      })),
    );

  async function preview(ctx: Pick<Context, 'db'>): Promise<DealsWithoutRate> {
    const people = await queries.amountsWithoutRate(ctx.db, await ratesOfOwners(ctx));
    const count = (field: 'deals' | 'stillWithout') => people.reduce((sum, one) => sum + one[field], 0);
    return {
      deals: count('deals'),
      commission: cents(people.map(({ commission }) => commission)) / 100,
      stillWithout: count('stillWithout'),
      people,
    };
  }

  return {
    preview,

    /**
     * Sets the missing rates and returns the number of rows. If the result would differ from `expected`, throws
     * CONFLICT with a new preview and changes nothing.
     */
    async apply(ctx: Context, expected: { deals: number; commission: number }): Promise<{ deals: number }> {
      const applied = await inTransaction(ctx, async (inner) => {
        const rates = await ratesOfOwners(inner);
        let deals = 0;
        let commissionCents = 0;
        for (;;) {
          const rows = await queries.rowsToRate(inner.db, rates, BATCH);
          if (rows.length === 0) break;
          const changes = rows.map(({ id, version, rate: commissionRate, commission }) => ({
            row: { id, version },
            columns: { commission_rate: commissionRate },
            before: { commissionRate: null, commission: null },
            after: { commissionRate, commission },
          }));
          const fields = ['commissionRate', 'commission'];
          const changed = await changeDeals(inner.db, ctx, 'deal.updated', changes, { fields });
          const ids = new Set(changed.map(({ id }) => id));
          const done = rows.filter(({ id }) => ids.has(id));
          deals += done.length;
          commissionCents += cents(done.map(({ counts, commission }) => (counts ? commission : null)));
        }
        if (deals !== expected.deals || commissionCents !== cents([expected.commission])) throw new Changed();
        return { deals };
      }).catch((error: unknown) => {
        if (error instanceof Changed) return undefined;
        throw error;
      });
      if (applied) return applied;
      throw new AppError('CONFLICT', {
        message: 'Rows or rates have changed since. Look at the new amounts.',
        current: await preview(ctx),
      });
    },
  };
}

/** Returns a function that transfers rows, at the rates of the new owner. */
export const createOwnerSetter =
  (settings: Pick<SettingsService, 'commissionRates'>): SetOwner =>
  async (ctx, transfers, ownerId) => {
    const rates = await settings.commissionRates(ctx, ownerId);
    for (let from = 0; from < transfers.length; from += BATCH) {
      const part = new Map(transfers.slice(from, from + BATCH).map((one) => [one.recordId, one]));
      const rows = await queries.repriced(ctx.db, rates, [...part.keys()]);
      const changes = rows.map(({ id, version, ...money }) => {
        const { before, after } = part.get(id)!;
        const commission_rate = money.after.commissionRate;
        const isRepriced = money.before.commissionRate !== commission_rate;
        return {
          row: { id, version },
          columns: { owner_id: ownerId, commission_rate },
          before: { ...before, ...(isRepriced && money.before) },
          after: { ...after, ...(isRepriced && money.after) },
        };
      });
      await changeDeals(ctx.db, ctx, 'deal.transferred', changes, { fields: ['owner'] });
    }
  };

/** Rolls back the transaction. */
class Changed extends Error {}
