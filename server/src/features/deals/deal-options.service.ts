import type { DealStatus } from '@forecourt/contract/deals';
import { listClosedMonths } from '../../platform/http/closed-months.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { pick } from '../../platform/sharing/records.ts';
import {
  canAddVisibleRow,
  canEditCustom,
  canSee,
  dealershipVisible,
  monthVisible,
  offersItems,
  statusVisible,
  visibleColumnsOf,
  visibleCustomFields,
} from './deals.policy.ts';
import * as queries from './deals.queries.ts';
import type { DealParts } from './write/change-deals.service.ts';

type Parts = Pick<DealParts, 'dealerships' | 'customFields' | 'clock'> & {
  inScope: (viewer: Viewer) => queries.InScope;
};

/** Returns the options and columns of Data Entry for a viewer. */
export async function listDealOptions({ dealerships, customFields, clock, inScope }: Parts, ctx: Context) {
  const scope = inScope(ctx.viewer);
  const offeredStatuses = (await queries.listStatuses(ctx.db)).filter(({ id }) =>
    statusVisible.matches(scope, { statusId: id }),
  );
  const offered = await dealerships.options(ctx);
  const closed = await listClosedMonths(ctx.db);
  const custom = visibleCustomFields(ctx.viewer, await customFields.definitions(ctx.db));
  return {
    statuses: offeredStatuses.map((status): DealStatus => ({
      _id: status.id,
      name: status.name,
      color: status.color,
      order: status.position,
      active: status.active,
      isDefault: status.is_default,
      isClosed: status.is_closed,
      countsForCommission: status.counts_for_commission,
    })),
    dealerships: offered.filter(({ _id }) => dealershipVisible.matches(scope, { dealershipId: _id })),
    items: offersItems(ctx.viewer)
      ? (await queries.listOffered(ctx.db)).map(({ id, name, price }) => ({ _id: id, name, price }))
      : [],
    owners: canSee(ctx.viewer, 'owner')
      ? (await queries.listOwners(ctx.db)).map(({ id, name }) => ({ _id: id, name }))
      : [],
    columns: visibleColumnsOf(ctx.viewer),
    customFields: custom.map((field) => ({
      ...pick(field, ['key', 'name', 'type', 'help', 'options', 'isRequired', 'defaultValue']),
      editable: canEditCustom(ctx.viewer, field),
    })),
    people: custom.some(({ type }) => type === 'person')
      ? (await queries.listActiveUsers(ctx.db)).map(({ id, name }) => ({ _id: id, name }))
      : [],
    add: canAddVisibleRow(ctx.viewer, scope, {
      day: clock.businessDate(),
      seesDefaultStatus: offeredStatuses.some((status) => status.is_default),
    }),
    currentMonth: clock.businessMonth(),
    closedMonths: closed.filter((month) => monthVisible.matches(scope, { month })),
    timeZone: clock.timeZone,
  };
}
