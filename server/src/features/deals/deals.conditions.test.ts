import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { hasAccess } from '../../platform/sharing/access.ts';
import {
  dealershipVisible,
  editable,
  mergeable,
  staysInMonth,
  statusVisible,
  visible,
  UNLIMITED_SCOPE,
} from './deals.policy.ts';
import {
  findDeals,
  findScopedUndeleted,
  matching,
  visibleDealIds,
  withSharedIds,
  type DealRow,
  type InScope,
} from './deals.queries.ts';
import { changesOfOthers } from './follow-ups/follow-ups.queries.ts';
import { attemptSameUpdate, attemptUpdates } from './write/change-deals.queries.ts';
import { attemptInserts } from './write/create-deals.queries.ts';

// TypeScript and PostgreSQL evaluate each rule of deals.policy.ts with the same result for random viewers and
// rows.

const TIME_ZONE = 'Australia/Sydney';
const MONTHS = ['2026-03', '2026-04', '2026-05'];
/** Daylight saving time ends on the second of these days. */
const DAYS = ['2026-04-04', '2026-04-05', '2026-04-06'];
const FIRST_MOMENT = Date.parse('2026-04-03T12:00:00Z');
const FIELDS = ['notes', 'vehicle'] as const;

const server = await testApp();
const admin = await server.person({ role: 'admin' });
const people = [await server.person(), await server.person(), admin];
const dealerships: string[] = [];
for (const name of ['Harbour', 'Inland', 'North'])
  dealerships.push(await addDealership(server, admin, { name }));
const statuses = await server.db
  .selectFrom('statuses')
  .select(['id', 'name'])
  .where('active', '=', true)
  .execute();
afterAll(() => server.close());

const person = fc.nat(2);
const version = fc.integer({ min: 1, max: 4 });
const aRow = fc.record({
  month: fc.constantFrom(...MONTHS),
  dealership: fc.nat(2),
  status: fc.nat(5),
  owner: person,
  creator: person,
  share: fc.option(fc.record({ person, level: fc.constantFrom('view', 'edit', 'full') }), { nil: null }),
  // In quarters of an hour, over four days.
  created: fc.nat(384),
  version,
  changed: fc.dictionary(fc.constantFrom(...FIELDS), version, { maxKeys: 2 }),
});
const few = (last: number) => fc.uniqueArray(fc.nat(last), { maxLength: 2 });
const day = fc.option(fc.constantFrom(...DAYS), { nil: null });
const aViewer = fc.record({
  person,
  onlyMonth: fc.option(fc.constantFrom(...MONTHS), { nil: null }),
  exceptRows: few(9),
  exceptDealerships: few(2),
  exceptStatuses: few(5),
  from: day,
  to: day,
  onlyOwn: fc.boolean(),
  seen: version,
  movesTo: fc.option(fc.constantFrom(...MONTHS), { nil: null }),
  fields: fc.uniqueArray(fc.constantFrom(...FIELDS, 'status' as const), { minLength: 1 }),
});
type Row = typeof aRow extends fc.Arbitrary<infer R> ? R : never;
type Case = typeof aViewer extends fc.Arbitrary<infer V> ? V : never;

/** Inserts rows and their shares, granted by the owners. Returns the ids. */
async function store(tx: Tx, rows: readonly Row[]): Promise<string[]> {
  const ids = rows.map(newId);
  const idOf = (index: number) => people[index]!.id;
  const deals = rows.map((row, index) => ({
    id: ids[index]!,
    customer_name: 'Ann Example',
    month: row.month,
    dealership_id: dealerships[row.dealership]!,
    status_id: statuses[row.status]!.id,
    owner_id: idOf(row.owner),
    created_by: idOf(row.creator),
    updated_by: idOf(row.creator),
    created_at: new Date(FIRST_MOMENT + row.created * 15 * 60_000).toISOString(),
    version: row.version,
    field_versions: JSON.stringify(row.changed),
  }));
  await tx
    .insertInto('deals')
    .values(deals as never)
    .execute();
  const shares = rows.flatMap(({ share, owner }, index) =>
    share
      ? [
          {
            entity: 'deal',
            record_id: ids[index]!,
            user_id: idOf(share.person),
            level: share.level,
            shared_by: idOf(owner),
          },
        ]
      : [],
  );
  if (shares.length > 0) await tx.insertInto('shares').values(shares).execute();
  return ids;
}

class Undone extends Error {}

/** Runs a property with rows in a transaction that is rolled back. */
const withRows = (check: (tx: Tx, ids: string[], viewer: Case, scope: InScope) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(fc.array(aRow, { minLength: 10, maxLength: 30 }), aViewer, async (rows, viewer) => {
      const written = server.db.transaction().execute(async (tx) => {
        const ids = await store(tx, rows);
        const { onlyMonth, from, to, onlyOwn } = viewer;
        await check(tx, ids, viewer, {
          onlyMonth,
          from,
          to,
          onlyOf: onlyOwn ? { userId: viewerOf(viewer).userId } : null,
          exceptRows: viewer.exceptRows.map((index) => ids[index]!),
          exceptDealerships: viewer.exceptDealerships.map((index) => dealerships[index]!),
          exceptStatuses: viewer.exceptStatuses.map((index) => statuses[index]!.id),
          timeZone: TIME_ZONE,
        });
        throw new Undone();
      });
      await written.catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    }),
    { numRuns: 60 },
  );

const idsOf = (rows: readonly ({ id: string } | undefined)[]) =>
  rows.flatMap((row) => row?.id ?? []).toSorted();
const EVERY_ROW: InScope = { ...UNLIMITED_SCOPE, timeZone: TIME_ZONE };
/** The last person is an administrator. */
const viewerOf = ({ person }: Case) => ({
  userId: people[person]!.id,
  role: person === 2 ? ('admin' as const) : ('user' as const),
});
const actorOf = (one: Case) => ({
  viewer: { userId: viewerOf(one).userId, name: 'Kim' },
  origin: { requestId: 'test', ip: '127.0.0.1', userAgent: '' },
});

test('SQL and TypeScript find the same rows visible', () =>
  withRows(async (tx, ids, _, scope) => {
    const rows = await findScopedUndeleted(tx, ids, TIME_ZONE);
    const expected = idsOf(rows.filter((row) => visible.matches(scope, row)));
    expect([...(await visibleDealIds(tx, scope, ids))].toSorted()).toEqual(expected);
    for (const each of [scope, await withSharedIds(tx, scope, {})]) {
      const listed = tx.selectFrom('deals').where((eb) => matching(eb, each, {}));
      expect(idsOf(await listed.select('id').execute())).toEqual(expected);
    }
  }));

test.each([
  ['one statement', (ids: string[]) => [ids]],
  ['a statement each', (ids: string[]) => ids.slice(0, 3).map((id) => [id])],
])('SQL and TypeScript allow the same changes in %s', (_how, batchesOf) =>
  withRows(async (tx, all, one, scope) => {
    const batches = batchesOf(all);
    const ids = batches.flat();
    const { seen, movesTo, fields } = one;
    const viewer = viewerOf(one);
    const status = statuses[1]!;
    const isChoice = (row: DealRow) =>
      row.status_id !== status.id && statusVisible.matches(scope, { statusId: status.id });
    const places = new Map((await findScopedUndeleted(tx, ids, TIME_ZONE)).map((row) => [row.id, row]));
    const expected = (await findDeals(tx, EVERY_ROW, ids)).filter((row) => {
      const deal = { ...row, fieldVersions: row.field_versions as Record<string, number> };
      return (
        visible.matches(scope, places.get(row.id)!) &&
        editable.matches(viewer, deal) &&
        mergeable(fields).matches({ seen, movesTo }, deal) &&
        (!fields.includes('status') || isChoice(row))
      );
    });
    const values = Object.fromEntries(
      fields.map((field) => [field, field === 'status' ? status.name : 'New']),
    );
    const changed = [];
    for (const batch of batches) {
      const updates = batch.map((id) => ({ id, actor: actorOf(one), ...viewer, seen, movesTo, values }));
      changed.push(...(await attemptUpdates(tx, scope, updates)));
    }
    expect(idsOf(changed)).toEqual(idsOf(expected));
  }),
);

test.each([true, false])(
  'the same rows get the same values in one statement, with versions: %s',
  (hasVersions) =>
    withRows(async (tx, ids, one, scope) => {
      const { seen, movesTo } = one;
      const viewer = viewerOf(one);
      const status = statuses[1]!;
      const places = new Map((await findScopedUndeleted(tx, ids, TIME_ZONE)).map((row) => [row.id, row]));
      const expected = (await findDeals(tx, EVERY_ROW, ids)).filter(
        (row) =>
          visible.matches(scope, places.get(row.id)!) &&
          editable.matches(viewer, row) &&
          staysInMonth.matches({ movesTo }, row) &&
          (!hasVersions || row.version === seen) &&
          row.status_id !== status.id &&
          statusVisible.matches(scope, { statusId: status.id }),
      );
      const versions = hasVersions ? Object.fromEntries(ids.map((id) => [id, seen])) : undefined;
      const update = { actor: actorOf(one), ...viewer, movesTo, values: { status: status.name } };
      const changed = await attemptSameUpdate(tx, scope, ids, { ...update, seen: versions });
      expect(idsOf(changed)).toEqual(idsOf(expected));
    }),
);

test('new rows are added in one statement with the same dealerships and statuses', () =>
  withRows(async (tx, _ids, one, scope) => {
    const { userId } = viewerOf(one);
    const by = {
      actor: actorOf(one),
      ownerId: userId,
      rates: { newSales: null, usedSales: null, defaultSales: null },
    };
    const choices = dealerships.flatMap((dealershipId) =>
      statuses.map(({ id, name }) => ({ id: newId(), dealershipId, statusId: id, status: name })),
    );
    const expected = choices.filter(
      (row) => dealershipVisible.matches(scope, row) && statusVisible.matches(scope, row),
    );
    const inserts = choices.map(({ statusId: _statusId, ...row }) => ({
      ...row,
      customerName: 'Ann',
      month: MONTHS[0]!,
      by,
      after: {},
    }));
    expect(idsOf(await attemptInserts(tx, scope, inserts))).toEqual(idsOf(expected));
  }));

test('SQL and TypeScript give access to the same rows', () =>
  withRows(async (tx, ids, one) => {
    const { userId } = viewerOf(one);
    const entries = ids.map((id) => ({
      action: 'deal.updated',
      entity: 'deal',
      record_id: id,
      actor_name: 'Other',
      ip: '127.0.0.1',
      request_id: 'test',
      after: { notes: 'Rang' },
    }));
    await tx
      .insertInto('audit_entries')
      .values(entries as never)
      .execute();
    const held = (await findDeals(tx, EVERY_ROW, ids)).filter((row) => hasAccess.matches({ userId }, row));
    const wanted = { userId, since: '2000-01-01', fields: ['notes'], limit: 100 };
    const found = await changesOfOthers(tx, EVERY_ROW, wanted);
    expect(idsOf(found)).toEqual(idsOf(held));
  }));
