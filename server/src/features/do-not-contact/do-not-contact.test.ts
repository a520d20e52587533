import type { DoNotContact } from '@forecourt/contract/do-not-contact';
import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, changePermissions, newestAudit } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';

/** Sees neither phone numbers nor addresses of customers. */
const server = await testApp();
const admin = await server.person({ role: 'admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const other = await server.person();
const narrow = await server.person();
await changePermissions(server, admin, narrow, {
  dataEntry: {
    columnVisibility: { viewAllColumns: false, visibleColumns: ['customerName', 'dealershipId'] },
  },
});
afterAll(() => server.close());

const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
const add = (values: string[], by = clerk, reason = 'Asked on the phone') =>
  call('POST /do-not-contact', by, { values, reason });
const list = async (by = clerk): Promise<DoNotContact[]> =>
  (await call('GET /do-not-contact', by)).body.items;
const valuesOf = (items: DoNotContact[]) => items.map(({ value }) => value).toSorted();

test.each([
  [{ values: ['0412 345 67'] }, { 'values.0': '0412 345 67 is neither a phone number nor an email address' }],
  [{ values: ['0411 111 111', ' '] }, { 'values.1': 'This is neither a phone number nor an email address' }],
  [{ values: [] }, { values: 'Phone number or email is required' }],
  [{ reason: ' ' }, { reason: 'Reason is required' }],
  [{ reason: 'x'.repeat(201) }, { reason: expect.any(String) }],
])('an addition with %j is refused and changes nothing', async (changes, errors) => {
  const before = await list();
  const body = { values: ['0411 111 111'], reason: 'Asked', ...changes };
  expect(await call('POST /do-not-contact', clerk, body)).toMatchObject({ status: 400, body: { errors } });
  expect(await list()).toEqual(before);
});

test('values are stored once in one form, with reason, person and date, and audited', async () => {
  const reply = await add(['+61 412 345 678', '(0412) 345 678', 'Ann@Buyer.example'], clerk, 'Moved away');
  expect(reply).toMatchObject({ status: 201, body: { total: 2 } });
  expect(valuesOf(reply.body.items)).toEqual(['(0412) 345 678', 'ann@buyer.example']);
  const entry = reply.body.items.find(({ kind }: DoNotContact) => kind === 'phone');
  expect(entry).toMatchObject({ reason: 'Moved away', addedBy: clerk.id, addedByName: 'Cleo Clerk' });
  expect(await newestAudit(server, entry._id)).toMatchObject({
    action: 'do-not-contact.created',
    after: { kind: 'phone', value: '(0412) 345 678', reason: 'Moved away' },
  });
  // A second addition leaves the first one as it is.
  expect((await add(['0412 345 678'], other, 'Again')).body).toEqual({ items: [], total: 0 });
  expect((await list()).find(({ _id }) => _id === entry._id)).toEqual(entry);
});

test('two additions of one value at once have one entry', async () => {
  const replies = await Promise.all([0, 1, 2].map(() => add(['0422 222 222'])));
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(replies.flatMap(({ body }) => body.items)).toHaveLength(1);
});

test('an entry is removed by the person who added it and by administrators only', async () => {
  const [entry] = (await add(['0433 333 333'])).body.items;
  const remove = (by: Person, id = entry._id) => call(`DELETE /do-not-contact/${id}`, by);
  expect((await list(other)).find(({ _id }) => _id === entry._id)?.abilities).toEqual({
    delete: 'NOT_CONTACT_ADDER',
  });
  expect(await remove(other)).toMatchObject({ status: 403, body: { details: 'NOT_CONTACT_ADDER' } });
  expect((await remove(clerk, ABSENT_ID)).status).toBe(404);
  expect((await remove(clerk)).status).toBe(204);
  expect((await remove(clerk)).status).toBe(404);
  expect(await newestAudit(server, entry._id)).toMatchObject({
    action: 'do-not-contact.deleted',
    before: { value: '(0433) 333 333' },
  });
  const [again] = (await add(['0433 333 333'])).body.items;
  expect((await remove(admin, again._id)).status).toBe(204);
});

test('a user who may not see phone numbers or addresses sees and adds none of them', async () => {
  const [entry] = (await add(['0444 444 444'])).body.items;
  expect(await list(narrow)).toEqual([]);
  expect(await add(['0455 555 555', 'bob@buyer.example'], narrow)).toMatchObject({
    status: 400,
    body: { errors: { 'values.0': 'You may not see phone numbers' } },
  });
  expect((await call(`DELETE /do-not-contact/${entry._id}`, narrow)).status).toBe(404);
});

test('the list has a maximum, and an addition beyond it changes nothing', async () => {
  await sql`
    insert into do_not_contact (id, kind, value, reason, added_by)
    select gen_random_uuid(), 'email', n || '@many.example', 'Many', ${clerk.id}
    from generate_series(1, 10000) as n`.execute(server.db);
  expect(await add(['0466 666 666'])).toMatchObject({
    status: 400,
    body: { errors: { values: 'The list has at most 10,000 entries. Nothing was added.' } },
  });
  await server.db.deleteFrom('do_not_contact').where('reason', '=', 'Many').execute();
  expect(valuesOf(await list())).not.toContain('(0466) 666 666');
});

test('a person who is no administrator has at most 1,000 entries on the list, and others add theirs', async () => {
  const hoarder = await server.person();
  const boss = await server.person({ role: 'admin' });
  for (const by of [hoarder, boss])
    await sql`
      insert into do_not_contact (id, kind, value, reason, added_by)
      select gen_random_uuid(), 'email', n || ${`@${by.id}.example`}, 'Hoarded', ${by.id}
      from generate_series(1, 999) as n`.execute(server.db);
  const two = ['0488 888 881', '0488 888 882'];
  expect(await add(two, hoarder)).toMatchObject({
    status: 400,
    body: {
      errors: {
        values:
          'You may add at most 1,000 entries to the list. Ask an administrator to add these. Nothing was added.',
      },
    },
  });
  expect((await add([two[0]!], hoarder)).body.total).toBe(1);
  // A value that is listed takes no place.
  expect((await add([two[0]!], hoarder)).body.total).toBe(0);
  expect((await add([two[1]!], hoarder)).status).toBe(400);
  expect((await add([two[1]!], other)).body.total).toBe(1);
  expect((await add(['0488 888 883', '0488 888 884'], boss)).body.total).toBe(2);
  await server.db.deleteFrom('do_not_contact').where('reason', '=', 'Hoarded').execute();
});

test('an addition and a removal are live events of those who see the kind, and of nobody else', async () => {
  const url = await server.app.listen({ port: 0 });
  const streams = await Promise.all([other, narrow].map(({ token }) => openLiveStream(url, token)));
  const connected = await Promise.all(
    streams.map(({ reader }) => readUntil(reader, (text) => text.includes('event: permissions'))),
  );
  const [entry] = (await add(['0477 777 777'])).body.items;
  await call(`DELETE /do-not-contact/${entry._id}`, clerk);
  const { _id: last } = await addDeal(server, admin, await addDealership(server, admin));
  const outputs = await Promise.all(
    streams.map(({ reader }, index) =>
      readUntil(reader, (text) => text.includes(last) && text.endsWith('\n\n'), connected[index]),
    ),
  );
  for (const { stop } of streams) stop();
  const [others, narrows] = outputs.map((output) =>
    [...output.matchAll(/^event: change\ndata: (.*)$/gm)]
      .map(([, data]) => JSON.parse(data!) as LiveEvent)
      .filter(({ entity }) => entity === 'do-not-contact'),
  );
  expect(others!.at(-1)).toMatchObject({ action: 'deleted', recordId: entry._id });
  expect(narrows).toEqual([]);
});
