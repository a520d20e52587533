import type { LiveEvent } from '@forecourt/contract/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';

let server: TestApp;
let url: string;
let admin: Person;
let dealershipId: string;
beforeAll(async () => {
  server = await testApp();
  url = await server.app.listen({ port: 0 });
  admin = await server.person({ role: 'admin' });
  dealershipId = await addDealership(server, admin);
});
afterAll(() => server.close());

/** Reads the stream until `enough` says so, and answers the events by then. */
async function readEvents(
  token: string,
  act: () => Promise<unknown>,
  enough: (events: LiveEvent[]) => boolean,
) {
  const stop = new AbortController();
  const answer = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const events: LiveEvent[] = [];
  const acted = act();
  let rest = '';
  while (!enough(events)) {
    const { value = '', done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data) events.push(JSON.parse(data));
    }
  }
  stop.abort();
  await acted;
  return events;
}

describe('live events', () => {
  test('tell of a change with ids and versions, and nothing else', async () => {
    const deal = await addDeal(server, admin, dealershipId);
    const change = () =>
      server.call(`PATCH /deals/${deal._id}`, {
        token: admin.token,
        body: { version: 1, notes: 'secret words' },
      });
    const isIt = (event: LiveEvent) => event.recordId === deal._id && event.action === 'updated';
    const events = await readEvents(admin.token, change, (seen) => seen.some(isIt));
    expect(events.find(isIt)).toEqual({
      id: expect.any(String),
      entity: 'deal',
      recordId: deal._id,
      action: 'updated',
      version: 2,
    });
  });

  test('reach only who may see the record', async () => {
    const clerk = await server.person({ permissions: { dataEntry: { canAccessAllMonths: false } } });
    const act = async () => {
      await addDealership(server, admin);
      await addDeal(server, admin, dealershipId, { month: '2024-01' });
      await addDeal(server, admin, dealershipId);
    };
    const events = await readEvents(clerk.token, act, (seen) => seen.length > 0);
    expect(events.map((event) => event.entity)).toEqual(['deal']);
    const visible = await server.call(`GET /deals/${events[0]!.recordId}`, { token: clerk.token });
    expect(visible.status).toBe(200);
  });

  test('tell of each of 200 changes once, by several writers whose transactions overlap', async () => {
    const deals = await Promise.all(Array.from({ length: 20 }, () => addDeal(server, admin, dealershipId)));
    const write = async (deal: { _id: string }) => {
      for (let version = 1; version <= 10; version += 1) {
        await server.call(`PATCH /deals/${deal._id}`, {
          token: admin.token,
          body: { version, notes: `n${version}` },
        });
      }
    };
    const ids = new Set(deals.map((deal) => deal._id));
    const mine = (events: LiveEvent[]) =>
      events.filter((event) => ids.has(event.recordId) && event.action === 'updated');
    const events = await readEvents(
      admin.token,
      () => Promise.all(deals.map(write)),
      (seen) => mine(seen).length >= 200,
    );
    expect(new Set(mine(events).map((event) => event.id)).size).toBe(200);
    expect(mine(events)).toHaveLength(200);
  });

  test('need a session, and end with it', async () => {
    expect((await fetch(`${url}/api/events`)).status).toBe(401);
  });
});
