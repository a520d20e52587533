import type { LivePresence } from '@forecourt/contract/presence';
import { mergePresence, type PresentPeople } from '@forecourt/contract/present-people';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, changePermissions } from '../../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../../test/live-stream.ts';

const server = await testApp();
const url = await server.app.listen({ port: 0 });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, admin);
const { _id: dealId, month } = await addDeal(server, admin, dealershipId);
afterAll(() => server.close());

const publish = (by: Person, body: object) => server.call('POST /events/presence', { token: by.token, body });
const limited = (dataEntry: object) =>
  server.person({ name: 'Lia Limited', permissions: { dataEntry: dataEntry as never } });
const seeing = (columnVisibility: object) => limited({ columnVisibility });

/** Reads the presence events of a person's live stream. */
async function follow(person: Person) {
  const { reader, stop } = await openLiveStream(url, person.token);
  let received = await readUntil(reader, (text) => text.includes('event: permissions'));
  const newest = (): PresentPeople | null =>
    [...received.matchAll(/^event: presence\ndata: (.*)\n\n/gm)]
      .map(([, data]) => JSON.parse(data!) as LivePresence)
      .reduce(mergePresence, null as PresentPeople | null);
  return {
    stop,
    /** Reads until the people meet the condition, and returns them. */
    async until(isEnough: (known: PresentPeople) => boolean): Promise<PresentPeople> {
      received = await readUntil(
        reader,
        (text) => {
          received = text;
          const known = newest();
          return known !== null && isEnough(known);
        },
        received,
      );
      return newest()!;
    },
    async untilText(text: string): Promise<void> {
      received = await readUntil(reader, (all) => all.includes(text), received);
    },
    all: () => received,
  };
}
const has =
  ({ id }: Person) =>
  ({ people }: PresentPeople) =>
    people.some(({ _id }) => _id === id);
const cellOf = ({ people }: PresentPeople, { id }: Person) => people.find(({ _id }) => _id === id)?.cell;

describe('publishing a place', () => {
  test.each([
    [{ month: '2026-13' }, { month: expect.any(String) }],
    [{ dealId: 'row' }, { dealId: expect.any(String) }],
    [{ column: 'password' }, { column: expect.any(String) }],
    [{ name: 'Somebody else' }, { name: 'Unknown field' }],
  ])('publishing a place refuses %j', async (changes, errors) => {
    expect(await publish(admin, { month, ...changes })).toMatchObject({ status: 400, body: { errors } });
  });

  test('publishing a place is refused without the page, and for hidden months, columns and rows', async () => {
    const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
    expect((await publish(pageless, { month })).status).toBe(403);
    const thisMonth = await limited({ canAccessAllMonths: false });
    expect(await publish(thisMonth, { month: '2024-01' })).toMatchObject({
      status: 403,
      body: { details: 'NO_OTHER_MONTHS' },
    });
    const narrow = await seeing({ viewAllColumns: false, visibleColumns: ['notes'] });
    expect(await publish(narrow, { month, dealId, column: 'saleAmount' })).toMatchObject({
      status: 400,
      body: { errors: { column: 'You may not see this column' } },
    });
    const barred = await seeing({ restrictedRows: [dealId] });
    expect((await publish(barred, { month, dealId, column: 'notes' })).status).toBe(404);
    expect((await publish(admin, { month, dealId: ABSENT_ID, column: 'notes' })).status).toBe(404);
  });

  test('publishing a place is accepted any number of times and not audited', async () => {
    const kim = await server.person();
    const entries = () =>
      server.db.selectFrom('audit_entries').select('id').where('actor_id', '=', kim.id).execute();
    expect((await publish(kim, { month })).status).toBe(204);
    expect((await publish(kim, { month })).status).toBe(204);
    expect(await entries()).toEqual([]);
  });
});

test('users with the same month open receive the place, its cell and its end at once', async () => {
  const [kim, lee] = [await server.person({ name: 'Kim Clerk' }), await server.person({ name: 'Lee Clerk' })];
  const stream = await follow(kim);
  await publish(kim, { month });
  await publish(lee, { month, dealId, column: 'notes' });
  const received = await stream.until(has(lee));
  expect(received.month).toBe(month);
  expect(received.people).toContainEqual({
    _id: lee.id,
    name: 'Lee Clerk',
    cell: { dealId, column: 'notes' },
  });
  expect(has(kim)(received)).toBe(false);
  await publish(lee, { month: null });
  await stream.until((known) => !has(lee)(known));
  stream.stop();
});

describe('rows and columns that a reader may not see', () => {
  test.each([
    ['a column', async () => seeing({ viewAllColumns: false, visibleColumns: ['vehicle'] })],
    ['a row', async () => seeing({ restrictedRows: [dealId] })],
    ['a dealership', async () => seeing({ restrictedDealerships: [dealershipId] })],
    ['a row of others', async () => seeing({ restrictedToOwn: true })],
    ['an older day', async () => seeing({ dateRangeStart: '2099-01-01' })],
  ])('%s: they receive the user without the cell', async (_what, makeReader) => {
    const [reader, lee] = [await makeReader(), await server.person({ name: 'Lee Clerk' })];
    const stream = await follow(reader);
    await publish(reader, { month });
    await publish(lee, { month, dealId, column: 'notes' });
    expect(cellOf(await stream.until(has(lee)), lee)).toBeNull();
    expect(stream.all()).not.toContain(dealId);
    stream.stop();
  });

  test('of two users who see only their own rows, the owner of the row receives the cell', async () => {
    const [owner, other] = await Promise.all([0, 1].map(() => seeing({ restrictedToOwn: true })));
    const lee = await server.person({ name: 'Lee Clerk' });
    const own = await addDeal(server, admin, dealershipId);
    const body = { ids: [own._id], targetUserId: owner!.id };
    expect((await server.call('POST /deals/bulk/owner', { token: admin.token, body })).status).toBe(200);
    const streams = await Promise.all([owner!, other!].map(follow));
    for (const reader of [owner!, other!]) await publish(reader, { month });
    await publish(lee, { month, dealId: own._id, column: 'notes' });
    const cells = await Promise.all(streams.map(async (each) => cellOf(await each.until(has(lee)), lee)));
    expect(cells).toEqual([{ dealId: own._id, column: 'notes' }, null]);
    for (const each of streams) each.stop();
  });

  test('a row of another month and a deleted row are not published either', async () => {
    const old = await addDeal(server, admin, dealershipId, { month: '2024-01' });
    const gone = await addDeal(server, admin, dealershipId);
    await server.call(`DELETE /deals/${gone._id}`, { token: admin.token });
    const reader = await limited({ canAccessAllMonths: false });
    const people = await Promise.all([0, 1].map(() => server.person({ name: 'Lee Clerk' })));
    const stream = await follow(reader);
    await publish(reader, { month });
    await publish(people[0]!, { month, dealId: old._id, column: 'notes' });
    await publish(people[1]!, { month, dealId: gone._id, column: 'notes' });
    const received = await stream.until((known) => people.every((person) => has(person)(known)));
    for (const person of people) expect(cellOf(received, person)).toBeNull();
    stream.stop();
  });
});

test('a user who loses the page receives nothing more', async () => {
  const [kim, mo, lee] = [
    await server.person(),
    await server.person(),
    await server.person({ name: 'Lee Clerk' }),
  ];
  const [kims, mos] = [await follow(kim), await follow(mo)];
  await Promise.all([publish(kim, { month }), publish(mo, { month })]);
  await kims.until(has(mo));
  const change = (record: object) => changePermissions(server, admin, kim, record);
  await change({ pages: { dataEntry: false } });
  await kims.untilText('"dataEntry":false');
  await publish(lee, { month });
  await mos.until(has(lee));
  // All earlier events have been sent before the event of this change.
  await change({ pages: { dataEntry: false, itemConfiguration: false } });
  await kims.untilText('"itemConfiguration":false');
  expect(kims.all()).not.toContain(lee.id);
  kims.stop();
  mos.stop();
});
