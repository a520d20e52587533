import type { LiveEvent } from '@forecourt/contract/events';
import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDealership, addTemplate } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import type { NewPerson } from '../../../test/people.ts';

const server = await testApp();
const url = await server.app.listen({ port: 0 });
const admin = await server.person({ role: 'admin' });
afterAll(() => server.close());

const asAdmin = async (route: string, body?: object) => {
  const { status } = await server.call(route, { token: admin.token, body });
  expect(status).toBeLessThan(300);
};
const share = (id: string, ...people: Person[]) =>
  asAdmin(`PUT /dealerships/${id}/sharing`, {
    sharedWith: people.map((person) => ({ userId: person.id, permissions: 'read' })),
  });

/**
 * Returns the events, as action and record, that a user's own pages receive while `act` runs, and possibly shortly
 * before. A dealership shared with them last marks the end.
 */
async function eventsDuring(person: Person, act: () => Promise<unknown>): Promise<string[]> {
  const { reader, stop } = await openLiveStream(url, person.token);
  const before = await readUntil(reader, (output) => output.includes('event: permissions'));
  await act();
  const last = await addDealership(server, admin);
  await share(last, person);
  const output = await readUntil(reader, (text) => text.includes(last) && text.endsWith('\n\n'), before);
  stop();
  return [...output.matchAll(/^event: change\ndata: (.*)$/gm)]
    .map(([, data]) => JSON.parse(data!) as LiveEvent)
    .filter(({ recordId }) => recordId !== last)
    .map(({ action, recordId }) => `${action} ${recordId}`);
}

/** A user without the Data Entry page: users with it receive events of every dealership they may choose. */
const someone = ({ permissions, ...person }: NewPerson = {}) =>
  server.person({ ...person, permissions: { ...permissions, pages: { dataEntry: false } } });

test('the server publishes an added or removed share to that user only', async () => {
  const [kim, stranger] = [await someone(), await someone()];
  const id = await addDealership(server, admin);
  const act = async () => {
    await share(id, kim);
    await share(id);
    await share(id, await someone());
  };
  const [kims, strangers] = await Promise.all([
    eventsDuring(kim, act),
    eventsDuring(stranger, async () => undefined),
  ]);
  expect(kims.at(-1)).toBe(`deleted ${id}`);
  expect(strangers).toEqual([]);
});

test('the server publishes the deletion of a shared record to its viewers', async () => {
  const kim = await someone();
  const id = await addDealership(server, admin);
  await share(id, kim);
  const events = await eventsDuring(kim, () => asAdmin(`DELETE /dealerships/${id}`));
  expect(events.at(-1)).toBe(`deleted ${id}`);
});

test('the server publishes a transferred template as deleted to the former owner and as created to the new one', async () => {
  const permissions = { features: { manageTemplates: true } };
  const [former, next] = [await someone({ permissions }), await someone({ permissions })];
  const id = await addTemplate(server, former);
  const act = () =>
    asAdmin('POST /email-templates/transfer-ownership', { resourceIds: [id], targetUserId: next.id });
  const [formers, nexts] = await Promise.all([
    eventsDuring(former, act),
    eventsDuring(next, async () => undefined),
  ]);
  expect(formers.at(-1)).toBe(`deleted ${id}`);
  expect(nexts.at(-1)).toBe(`updated ${id}`);
});

test('the server publishes nothing of a dealership hidden from a user, despite their shares', async () => {
  const id = await addDealership(server, admin);
  const barred = await someone({
    permissions: { dataEntry: { columnVisibility: { restrictedDealerships: [id] } } as never },
  });
  const act = async () => {
    await share(id, barred);
    await share(id);
    await asAdmin(`DELETE /dealerships/${id}`);
  };
  expect(await eventsDuring(barred, act)).toEqual([]);
});
