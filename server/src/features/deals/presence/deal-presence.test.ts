import type { LivePresence } from '@forecourt/contract/presence';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../../test/live-stream.ts';

const NOBODY = '01930000-0000-7000-8000-00000000ffff';

let server: TestApp;
let url: string;
let admin: Person;
let dealershipId: string;
let month: string;
let dealId: string;
beforeAll(async () => {
  server = await testApp();
  url = await server.app.listen({ port: 0 });
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  dealershipId = await addDealership(server, admin);
  ({ _id: dealId, month } = await addDeal(server, admin, dealershipId));
});
afterAll(() => server.close());

const say = (by: Person, body: object) => server.call('POST /events/presence', { token: by.token, body });
const limited = (dataEntry: object) =>
  server.person({ name: 'Lia Limited', permissions: { dataEntry: dataEntry as never } });
const seeing = (columnVisibility: object) => limited({ columnVisibility });

/** Reads the presence events of a person's live stream. */
async function follow(person: Person) {
  const { reader, stop } = await openLiveStream(url, person.token);
  let said = await readUntil(reader, (words) => words.includes('event: permissions'));
  const told = (): LivePresence[] =>
    [...said.matchAll(/^event: presence\ndata: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data!));
  return {
    stop,
    /** Reads until the newest event meets the condition, and returns it. */
    async until(isEnough: (newest: LivePresence) => boolean): Promise<LivePresence> {
      said = await readUntil(
        reader,
        (words) => {
          said = words;
          const newest = told().at(-1);
          return newest !== undefined && isEnough(newest);
        },
        said,
      );
      return told().at(-1)!;
    },
    async hear(words: string): Promise<void> {
      said = await readUntil(reader, (heard) => heard.includes(words), said);
    },
    said: () => said,
  };
}
const has =
  ({ id }: Person) =>
  ({ people }: LivePresence) =>
    people.some(({ _id }) => _id === id);
const cellOf = ({ people }: LivePresence, { id }: Person) => people.find(({ _id }) => _id === id)?.cell;

describe('saying where one is', () => {
  test('needs a session', async () => {
    expect((await server.call('POST /events/presence', { body: { month } })).status).toBe(401);
  });

  test.each([
    [{ month: '2026-13' }, { month: expect.any(String) }],
    [{ dealId: 'row' }, { dealId: expect.any(String) }],
    [{ column: 'password' }, { column: expect.any(String) }],
    [{ name: 'Somebody else' }, { name: 'Unknown field' }],
  ])('refuses %j', async (changes, errors) => {
    expect(await say(admin, { month, ...changes })).toMatchObject({ status: 400, body: { errors } });
  });

  test('is not for people without the page, nor about months, columns and rows that do not exist for them', async () => {
    const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
    expect((await say(pageless, { month })).status).toBe(403);
    const thisMonth = await limited({ canAccessAllMonths: false });
    expect(await say(thisMonth, { month: '2024-01' })).toMatchObject({
      status: 403,
      body: { details: 'NO_OTHER_MONTHS' },
    });
    const narrow = await seeing({ viewAllColumns: false, visibleColumns: ['notes'] });
    expect(await say(narrow, { month, dealId, column: 'saleAmount' })).toMatchObject({
      status: 400,
      body: { errors: { column: 'You may not see this column' } },
    });
    const barred = await seeing({ restrictedRows: [dealId] });
    expect((await say(barred, { month, dealId, column: 'notes' })).status).toBe(404);
    expect((await say(admin, { month, dealId: NOBODY, column: 'notes' })).status).toBe(404);
  });

  test('is accepted however often it is said, and is not audited', async () => {
    const kim = await server.person();
    const entries = () =>
      server.db.selectFrom('audit_entries').select('id').where('actor_id', '=', kim.id).execute();
    expect((await say(kim, { month })).status).toBe(204);
    expect((await say(kim, { month })).status).toBe(204);
    expect(await entries()).toEqual([]);
  });
});

test('those who have the same month open are told at once, of the cell too, and of their leaving', async () => {
  const [kim, lee] = [await server.person({ name: 'Kim Clerk' }), await server.person({ name: 'Lee Clerk' })];
  const stream = await follow(kim);
  await say(kim, { month });
  await say(lee, { month, dealId, column: 'notes' });
  const told = await stream.until(has(lee));
  expect(told.month).toBe(month);
  expect(told.people).toContainEqual({ _id: lee.id, name: 'Lee Clerk', cell: { dealId, column: 'notes' } });
  expect(has(kim)(told)).toBe(false);
  await say(lee, { month: null });
  await stream.until((newest) => !has(lee)(newest));
  stream.stop();
});

describe('rows and columns that a reader may not see', () => {
  test.each([
    ['a column', async () => seeing({ viewAllColumns: false, visibleColumns: ['vehicle'] })],
    ['a row', async () => seeing({ restrictedRows: [dealId] })],
    ['a dealership', async () => seeing({ restrictedDealerships: [dealershipId] })],
    ['an older day', async () => seeing({ dateRangeStart: '2099-01-01' })],
  ])('%s: they are told that somebody is there, and no more', async (_what, makeReader) => {
    const [reader, lee] = [await makeReader(), await server.person({ name: 'Lee Clerk' })];
    const stream = await follow(reader);
    await say(reader, { month });
    await say(lee, { month, dealId, column: 'notes' });
    expect(cellOf(await stream.until(has(lee)), lee)).toBeNull();
    expect(stream.said()).not.toContain(dealId);
    stream.stop();
  });

  test('a row of another month and a deleted one are in no news either', async () => {
    const old = await addDeal(server, admin, dealershipId, { month: '2024-01' });
    const gone = await addDeal(server, admin, dealershipId);
    await server.call(`DELETE /deals/${gone._id}`, { token: admin.token });
    const reader = await limited({ canAccessAllMonths: false });
    const people = await Promise.all([0, 1].map(() => server.person({ name: 'Lee Clerk' })));
    const stream = await follow(reader);
    await say(reader, { month });
    await say(people[0]!, { month, dealId: old._id, column: 'notes' });
    await say(people[1]!, { month, dealId: gone._id, column: 'notes' });
    const told = await stream.until((newest) => people.every((person) => has(person)(newest)));
    for (const person of people) expect(cellOf(told, person)).toBeNull();
    stream.stop();
  });
});

test('who loses the page is told nothing more', async () => {
  const [kim, mo, lee] = [
    await server.person(),
    await server.person(),
    await server.person({ name: 'Lee Clerk' }),
  ];
  const [kims, mos] = [await follow(kim), await follow(mo)];
  await Promise.all([say(kim, { month }), say(mo, { month })]);
  await kims.until(has(mo));
  const change = (record: object) =>
    server.call(`PUT /permissions/user/${kim.id}`, { token: admin.token, body: record });
  await change({ pages: { dataEntry: false } });
  await kims.hear('"dataEntry":false');
  await say(lee, { month });
  await mos.until(has(lee));
  // All earlier events have been sent before the event of this change.
  await change({ pages: { dataEntry: false, itemConfiguration: false } });
  await kims.hear('"itemConfiguration":false');
  expect(kims.said()).not.toContain(lee.id);
  kims.stop();
  mos.stop();
});
