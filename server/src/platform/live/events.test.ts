import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { PASSWORD } from '../../../test/people.ts';
import type { Viewer } from '../http/context.ts';
import { createLog } from '../log.ts';
import { createLiveEvents } from './events.ts';
import { openNotices } from './notices.ts';

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

/** Opens a stream and answers it once it listens, with the person's rights, which come first. */
async function connect(token: string, query = '') {
  const { reader, headers, stop } = await openLiveStream(url, token, query);
  const first = await readUntil(
    reader,
    (said) => said.includes('event: permissions') && said.endsWith('\n\n'),
  );
  const rights = JSON.parse(/^event: permissions\ndata: (.*)$/m.exec(first)![1]!);
  return { reader, first, rights, headers, stop };
}

/** What a stream says from now until the server ends it. */
async function readToEnd(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let said = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    said += value;
    if (done) return said;
  }
}

/** Reads the stream until `enough` says so, and answers the events by then. */
async function readEvents(
  token: string,
  act: () => Promise<unknown>,
  enough: (events: LiveEvent[]) => boolean,
) {
  const { reader, stop } = await connect(token);
  const events: LiveEvent[] = [];
  const acted = act();
  let rest = '';
  while (!enough(events)) {
    const { value = '', done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const data = /^event: change\ndata: (.*)$/m.exec(part)?.[1];
      if (data) events.push(JSON.parse(data));
    }
  }
  stop();
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
      await addTemplate(server, admin);
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

  test('tell of a row that leaves the sight of a person as gone, and of it no more', async () => {
    const clerk = await server.person({ permissions: { dataEntry: { canAccessAllMonths: false } } });
    const [moved, last] = [
      await addDeal(server, admin, dealershipId),
      await addDeal(server, admin, dealershipId),
    ];
    const change = (deal: { _id: string }, body: object) =>
      server.call(`PATCH /deals/${deal._id}`, { token: admin.token, body });
    const act = async () => {
      await change(moved, { version: 1, month: '2024-01' });
      await change(moved, { version: 2, notes: 'not for the clerk' });
      await change(last, { version: 1, notes: 'for the clerk' });
    };
    const isLast = (event: LiveEvent) => event.recordId === last._id && event.version === 2;
    const events = await readEvents(clerk.token, act, (seen) => seen.some(isLast));
    const ofMoved = events.filter((event) => event.recordId === moved._id && event.action !== 'created');
    expect(ofMoved).toEqual([expect.objectContaining({ action: 'deleted', version: null })]);
  });

  test('tell the owner of a template, and nobody else, that it was deleted', async () => {
    const permissions = { features: { manageTemplates: true } };
    const [owner, other] = [await server.person({ permissions }), await server.person({ permissions })];
    const [own, others] = [await addTemplate(server, owner), await addTemplate(server, other)];
    let newest = '';
    const act = async () => {
      await server.call(`DELETE /email-templates/${others}`, { token: other.token });
      await server.call(`DELETE /email-templates/${own}`, { token: owner.token });
      newest = await addTemplate(server, owner);
    };
    const events = await readEvents(owner.token, act, (seen) =>
      seen.some((event) => event.recordId === newest),
    );
    const gone = events.filter((event) => event.action === 'deleted');
    expect(gone.map((event) => event.recordId)).toEqual([own]);
    expect(events.some((event) => event.recordId === others)).toBe(false);
  });

  test('of deals are not for people without the page', async () => {
    const pageless = await server.person({
      permissions: { pages: { dataEntry: false }, dealershipConfiguration: { viewDealerships: true } },
    });
    const act = async () => {
      await addDeal(server, admin, dealershipId);
      await addDealership(server, admin);
    };
    const events = await readEvents(pageless.token, act, (seen) => seen.length > 0);
    expect(new Set(events.map((event) => event.entity))).toEqual(new Set(['dealership']));
  });

  test('of what a row is filled in with are for people with the page, but for what is kept from them', async () => {
    const closed = await addDealership(server, admin);
    const clerk = await server.person();
    const columnVisibility = { restrictedDealerships: [closed] };
    const body = { dataEntry: { columnVisibility } };
    await server.call(`PUT /permissions/user/${clerk.id}`, { token: admin.token, body });
    const byAdmin = (route: string, sent: object) => server.call(route, { token: admin.token, body: sent });
    let offered = '';
    let item = '';
    const act = async () => {
      await byAdmin('POST /dealerships/bulk/active', { ids: [closed], active: false });
      offered = await addDealership(server, admin);
      item = (await byAdmin('POST /item-configurations', { name: 'Tint', price: 500 })).body._id;
    };
    const events = await readEvents(clerk.token, act, (seen) => seen.some(({ entity }) => entity === 'item'));
    expect(events.map(({ recordId }) => recordId)).toEqual([offered, item]);
  });

  test('need a session', async () => {
    expect((await fetch(`${url}/api/events`)).status).toBe(401);
  });

  test('end as soon as any instance ends the session', { timeout: 5000 }, async () => {
    const kim = await server.person();
    const { reader } = await connect(kim.token);
    await server.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('sessions')
        .set({ ended_at: sql`now()` })
        .where('user_id', '=', kim.id)
        .execute();
      await sql`select pg_notify('forecourt', ${`revoked ${kim.id}`})`.execute(tx);
    });
    expect(await readToEnd(reader)).toBe('event: end\ndata: {"code":"NOT_SIGNED_IN"}\n\n');
  });

  test('tell of a departure by what a row was at each change, also when two fall into one look', async () => {
    const [open, closed] = [await addDealership(server, admin), await addDealership(server, admin)];
    const clerk = await server.person();
    const columnVisibility = { restrictedDealerships: [closed], restrictedStatuses: ['No deal'] };
    const body = { dataEntry: { columnVisibility } };
    await server.call(`PUT /permissions/user/${clerk.id}`, { token: admin.token, body });
    const [seen, unseen, last] = [
      await addDeal(server, admin, open),
      await addDeal(server, admin, open, { status: 'No deal' }),
      await addDeal(server, admin, open),
    ];
    const idOf = async (name: string) =>
      (await server.db.selectFrom('statuses').select('id').where('name', '=', name).executeTakeFirstOrThrow())
        .id;
    /** Both changes in one transaction: no reader can look between them. */
    const twice = (id: string, changes: { before: object; after: object }[], columns: object) =>
      server.db.transaction().execute(async (tx) => {
        await tx.updateTable('deals').set(columns).where('id', '=', id).execute();
        const entry = {
          actor_name: 'Ada',
          ip: '',
          request_id: '',
          entity: 'deal',
          record_id: id,
          version: 2,
        };
        for (const { before, after } of changes) {
          const values = { before: JSON.stringify(before), after: JSON.stringify(after) };
          await tx
            .insertInto('audit_entries')
            .values({ ...entry, ...values, action: 'deal.updated' })
            .execute();
        }
      });
    const toClosed = { before: { dealershipId: open }, after: { dealershipId: closed } };
    const toHidden = { before: { status: 'Entered' }, after: { status: 'No deal' } };
    const toShown = { before: { status: 'No deal' }, after: { status: 'Entered' } };
    const hidden = { dealership_id: closed, status_id: await idOf('No deal') };
    const shown = { dealership_id: closed, status_id: await idOf('Entered') };
    const act = async () => {
      await twice(seen._id, [toClosed, toHidden], hidden);
      await twice(unseen._id, [toClosed, toShown], shown);
      const note = { version: 1, notes: 'last' };
      await server.call(`PATCH /deals/${last._id}`, { token: admin.token, body: note });
    };
    const isLast = (event: LiveEvent) => event.recordId === last._id && event.version === 2;
    const events = await readEvents(clerk.token, act, (known) => known.some(isLast));
    const gone = events.filter(({ action }) => action === 'deleted');
    expect(gone.map(({ recordId }) => recordId)).toEqual([seen._id]);
    expect(events.some(({ recordId }) => recordId === unseen._id)).toBe(false);
  });

  test(
    'begin, where a page asks for it, with what happened while it was loading',
    { timeout: 5000 },
    async () => {
      const { _id } = await addDeal(server, admin, dealershipId);
      const act = async () => addDeal(server, admin, dealershipId);
      // Once the second one is heard of, the first has been read by this instance too.
      await readEvents(admin.token, act, (seen) => seen.length > 0);
      const { reader, first, stop } = await connect(admin.token, '?recent=1');
      // It may come before the rights or after them.
      await readUntil(reader, (said) => said.includes(_id), first);
      stop();
      const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
      const other = await connect(pageless.token, '?recent=1');
      const more = { token: admin.token, body: { maxSessions: 7 } };
      await server.call(`PUT /permissions/user/${pageless.id}`, more);
      expect(other.first + (await other.reader.read()).value).not.toContain(_id);
      other.stop();
    },
  );

  test('bring a change of a person’s rights to their own pages at once', { timeout: 5000 }, async () => {
    const kim = await server.person();
    const { reader, rights, stop } = await connect(kim.token);
    expect(rights).toMatchObject({ userId: kim.id, pages: { dataEntry: true }, version: 1 });
    await server.call(`PUT /permissions/user/${kim.id}`, {
      token: admin.token,
      body: { pages: { dataEntry: false } },
    });
    const { value } = await reader.read();
    stop();
    expect(value).toMatch(/^event: permissions\n/);
    expect(JSON.parse(value!.split('data: ')[1]!)).toMatchObject({
      pages: { dataEntry: false },
      version: 2,
    });
  });

  test('go on for the other sessions of a person when one is signed out', async () => {
    const deal = await addDeal(server, admin, dealershipId);
    const kim = await server.person();
    const signedIn = await server.call('POST /auth/login', {
      body: { email: kim.email, password: PASSWORD },
    });
    const act = async () => {
      await server.call('POST /auth/logout', { token: signedIn.body.token });
      await server.call(`PATCH /deals/${deal._id}`, {
        token: admin.token,
        body: { version: 1, notes: 'still heard' },
      });
    };
    const isIt = (event: LiveEvent) => event.recordId === deal._id && event.version === 2;
    const events = await readEvents(kim.token, act, (seen) => seen.some(isIt));
    expect(events.some(isIt)).toBe(true);
  });

  test('come with the headers of every answer', async () => {
    const { headers, stop } = await connect(admin.token);
    stop();
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('go to 20 streams of a session: one more ends the oldest', { timeout: 5000 }, async () => {
    const kim = await server.person();
    const streams = [];
    for (let count = 1; count <= 21; count += 1) streams.push(await connect(kim.token));
    expect(await readToEnd(streams[0]!.reader)).toBe('');
    for (const stream of streams) stream.stop();
  });

  test('that one listener cannot get end that listener, and reach the others', async () => {
    const notices = openNotices(server.connection, createLog('silent'));
    const visibility = (ids: string[]) => async (viewer: Viewer) => {
      if (viewer.name === 'Unlucky') throw new Error('no answer');
      return new Set(ids);
    };
    const live = createLiveEvents(server.db, notices, createLog('silent'), { deal: visibility }, {});
    try {
      await expect.poll(() => notices.areHeard()).toBe(true);
      const viewer = await server.call('GET /auth/me', { token: admin.token });
      const ended: unknown[] = [];
      const heard = Promise.withResolvers<LiveEvent[]>();
      const listen = (name: string, deliver: (events: LiveEvent[]) => void) =>
        live.listen({
          viewer: async () => ({ ...viewer.body.data.user, name }),
          deliver,
          end: (error) => void ended.push(error),
        });
      listen('Unlucky', () => {});
      listen('Lucky', heard.resolve);
      const deal = await addDeal(server, admin, dealershipId);
      expect(await heard.promise).toMatchObject([{ recordId: deal._id }]);
      expect(ended).toEqual([new Error('no answer')]);
    } finally {
      live.stop();
      await notices.close();
    }
  });

  test('are judged once for all who have the same rights, and for nobody else with them', async () => {
    const notices = openNotices(server.connection, createLog('silent'));
    const asked: string[][] = [];
    const judged: string[] = [];
    let fails = true;
    const visibility = (ids: string[]) => {
      asked.push(ids);
      return async (viewer: Viewer) => {
        judged.push(viewer.name);
        // A database that was away for a moment is no answer for those who come next.
        if (fails) {
          fails = false;
          throw new Error('no answer');
        }
        return new Set(viewer.role === 'admin' ? ids : []);
      };
    };
    const live = createLiveEvents(
      server.db,
      notices,
      createLog('silent'),
      { deal: visibility },
      {},
      { deal: [] },
    );
    try {
      await expect.poll(() => notices.areHeard()).toBe(true);
      const told: string[] = [];
      const ended: string[] = [];
      const listen = (name: string, role: string) => {
        const heard = Promise.withResolvers<void>();
        live.listen({
          viewer: async () => ({ name, role, permissions: {} }) as Viewer,
          deliver() {
            told.push(name);
            heard.resolve();
          },
          end: () => void ended.push(name),
        });
        return heard.promise;
      };
      void listen('Unlucky', 'admin');
      void listen('Clerk 1', 'user');
      void listen('Clerk 2', 'user');
      const first = listen('Admin 1', 'admin');
      const second = listen('Admin 2', 'admin');
      const { _id } = await addDeal(server, admin, dealershipId);
      await Promise.all([first, second]);
      expect(asked).toEqual([[_id]]);
      expect(judged).toEqual(['Unlucky', 'Clerk 1', 'Admin 1']);
      expect(told).toEqual(['Admin 1', 'Admin 2']);
      expect(ended).toEqual(['Unlucky']);
    } finally {
      live.stop();
      await notices.close();
    }
  });

  test('ask who has lost sight of a record only where what decides it has changed', async () => {
    const notices = openNotices(server.connection, createLog('silent'));
    const asked: string[] = [];
    const live = createLiveEvents(
      server.db,
      notices,
      createLog('silent'),
      { deal: () => async () => new Set() },
      {
        deal: async (viewer, changes) => {
          asked.push(viewer.name);
          return changes;
        },
      },
      { deal: ['month'] },
    );
    try {
      await expect.poll(() => notices.areHeard()).toBe(true);
      const told: LiveEvent[] = [];
      for (const name of ['Clerk 1', 'Clerk 2']) {
        live.listen({
          viewer: async () => ({ name, role: 'user', permissions: {} }) as unknown as Viewer,
          deliver: (events) => void told.push(...events),
          end: (error) => expect.unreachable(String(error)),
        });
      }
      const change = async (body: object): Promise<string> => {
        const { _id } = await addDeal(server, admin, dealershipId);
        await server.call(`PATCH /deals/${_id}`, { token: admin.token, body: { version: 1, ...body } });
        return _id;
      };
      await change({ notes: 'as before' });
      const moved = await change({ month: '2024-01' });
      await expect.poll(() => told.filter(({ recordId }) => recordId === moved)).toHaveLength(2);
      expect(asked).toEqual(['Clerk 1']);
      expect(told).toHaveLength(2);
      expect(told[0]).toMatchObject({ action: 'deleted', version: null });
    } finally {
      live.stop();
      await notices.close();
    }
  });

  test('tell that a row is gone, whichever change took it out of sight', async () => {
    const [open, closed] = [await addDealership(server, admin), await addDealership(server, admin)];
    const columnVisibility = { restrictedDealerships: [closed], restrictedStatuses: ['No deal'] };
    const clerk = await server.person();
    const body = { dataEntry: { columnVisibility, canAccessAllMonths: false } };
    await server.call(`PUT /permissions/user/${clerk.id}`, { token: admin.token, body });
    const changes = [{ status: 'No deal' }, { dealershipId: closed }, { month: '2024-01' }];
    const deals = await Promise.all(changes.map(() => addDeal(server, admin, open)));
    const act = async () => {
      for (const [place, change] of changes.entries()) {
        const patch = { version: 1, ...change };
        await server.call(`PATCH /deals/${deals[place]!._id}`, { token: admin.token, body: patch });
      }
      await server.call(`DELETE /deals/${(await addDeal(server, admin, open))._id}`, { token: admin.token });
    };
    const gone = (seen: LiveEvent[]) => seen.filter(({ action }) => action === 'deleted');
    const events = await readEvents(clerk.token, act, (seen) => gone(seen).length > 3);
    expect(gone(events).map(({ recordId }) => recordId)).toEqual([
      ...deals.map(({ _id }) => _id),
      expect.any(String),
    ]);
  });
});
