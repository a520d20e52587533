import type { LiveEvent } from '@forecourt/contract/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDealership, addTemplate } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import type { NewPerson } from '../../../test/people.ts';

let server: TestApp;
let url: string;
let admin: Person;
beforeAll(async () => {
  server = await testApp();
  url = await server.app.listen({ port: 0 });
  admin = await server.person({ role: 'admin' });
});
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
 * What a person's own pages hear while `act` runs, and perhaps of what was just before: each event's action and
 * record. A dealership that is shared with them last tells that everything before it has come.
 */
async function heard(person: Person, act: () => Promise<unknown>): Promise<string[]> {
  const { reader, stop } = await openLiveStream(url, person.token);
  const before = await readUntil(reader, (said) => said.includes('event: permissions'));
  await act();
  const last = await addDealership(server, admin);
  await share(last, person);
  const said = await readUntil(reader, (words) => words.includes(last) && words.endsWith('\n\n'), before);
  stop();
  return [...said.matchAll(/^event: change\ndata: (.*)$/gm)]
    .map(([, data]) => JSON.parse(data!) as LiveEvent)
    .filter(({ recordId }) => recordId !== last)
    .map(({ action, recordId }) => `${action} ${recordId}`);
}

/** Somebody who fills in no rows: those who do hear of every dealership that they may choose. */
const someone = ({ permissions, ...person }: NewPerson = {}) =>
  server.person({ ...person, permissions: { ...permissions, pages: { dataEntry: false } } });

test('a share that is gained or taken away is heard by that person, and by no stranger', async () => {
  const [kim, stranger] = [await someone(), await someone()];
  const id = await addDealership(server, admin);
  const act = async () => {
    await share(id, kim);
    await share(id);
    await share(id, await someone());
  };
  const [kims, strangers] = await Promise.all([heard(kim, act), heard(stranger, async () => undefined)]);
  expect(kims.at(-1)).toBe(`deleted ${id}`);
  expect(strangers).toEqual([]);
});

test('what was shared and is deleted is gone for them', async () => {
  const kim = await someone();
  const id = await addDealership(server, admin);
  await share(id, kim);
  const events = await heard(kim, () => asAdmin(`DELETE /dealerships/${id}`));
  expect(events.at(-1)).toBe(`deleted ${id}`);
});

test('a template that is handed over is gone for the former owner and there for the new one', async () => {
  const permissions = { features: { manageTemplates: true } };
  const [former, next] = [await someone({ permissions }), await someone({ permissions })];
  const id = await addTemplate(server, former);
  const act = () =>
    asAdmin('POST /email-templates/transfer-ownership', { resourceIds: [id], targetUserId: next.id });
  const [formers, nexts] = await Promise.all([heard(former, act), heard(next, async () => undefined)]);
  expect(formers.at(-1)).toBe(`deleted ${id}`);
  expect(nexts.at(-1)).toBe(`updated ${id}`);
});

test('nothing is told of a dealership that is kept from somebody, whatever they share', async () => {
  const id = await addDealership(server, admin);
  const barred = await someone({
    permissions: { dataEntry: { columnVisibility: { restrictedDealerships: [id] } } as never },
  });
  const act = async () => {
    await share(id, barred);
    await share(id);
    await asAdmin(`DELETE /dealerships/${id}`);
  };
  expect(await heard(barred, act)).toEqual([]);
});
