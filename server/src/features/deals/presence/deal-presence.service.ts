import type { Presence } from '@forecourt/contract/presence';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Context } from '../../../platform/http/context.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import type { EventBus } from '../../../platform/live/event-bus.ts';
import { createPresence, type PlaceFilter, type Place } from '../../../platform/live/presence.ts';
import type { Log } from '../../../platform/log.ts';
import { requireColumn } from '../deals.fields.ts';
import { canOpenMonth, scopeOf, visiblePresence } from '../deals.policy.ts';
import { findScopedUndeleted, visibleDealIds } from '../deals.queries.ts';

type Deps = { db: Db; eventBus: EventBus; log: Log; clock: Clock };

/** Presence of users in Data Entry (docs/product/data-entry.md, Presence). */
export function createDealPresence({ db, eventBus, log, clock }: Deps) {
  async function createPlaceFilter(places: readonly Place[]): Promise<PlaceFilter> {
    const ids = places.flatMap(({ cell }) => cell?.dealId ?? []);
    const rows = ids.length === 0 ? [] : await findScopedUndeleted(db, [...new Set(ids)], clock.timeZone);
    const deals = new Map(rows.map((row) => [row.id, row]));
    return (viewer, place) =>
      visiblePresence(viewer, place, deals.get(place.cell?.dealId ?? ''), clock.businessMonth());
  }
  const presence = createPresence({ db, eventBus, log, createPlaceFilter });

  /** Returns the place of the viewer; null outside Data Entry. Throws a 400, 403 or 404 if they may not see it. */
  async function placeOf(
    { db, viewer }: Context,
    { month, dealId, column }: Presence,
  ): Promise<Place | null> {
    if (month === null) return null;
    requireAbility(canOpenMonth(viewer, month, clock.businessMonth()));
    if (column) requireColumn(viewer, column, 'column');
    const scope = { ...scopeOf(viewer, clock.businessMonth()), timeZone: clock.timeZone };
    if (dealId && !(await visibleDealIds(db, scope, [dealId])).has(dealId)) throw new AppError('NOT_FOUND');
    return { month, cell: dealId && column ? { dealId, column } : null };
  }

  return {
    ...presence,
    async report(ctx: Context, body: Presence): Promise<undefined> {
      presence.publish(ctx.viewer, await placeOf(ctx, body));
    },
  };
}

export type DealPresence = ReturnType<typeof createDealPresence>;
