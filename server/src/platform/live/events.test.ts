import { randomUUID } from 'node:crypto';
import { MAX_EVENT_ROWS } from '@forecourt/contract/deal-limits';
import type { LiveEvent } from '@forecourt/contract/events';
import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate, changePermissions } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { PASSWORD } from '../../../test/people.ts';
import type { Viewer } from '../http/context.ts';
import { createLog } from '../log.ts';
import { openEventBus } from './event-bus.ts';
import type { SentEvent } from './event-filter.ts';
import { createLiveEvents } from './events.ts';

const permissions = { ...defaultRecord, editableStatuses: [] };

const server = await testApp();
const url = await server.app.listen({ port: 0 });
const admin = await server.person({ role: 'admin' });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

/** Opens a stream and returns it once it listens, after the user's permissions, which come first. */
async function connect(token: string, query = '') {
  const { reader, headers, stop } = await openLiveStream(url, token, query);
  const first = await readUntil(
    reader,
    (output) => output.includes('event: permissions') && output.endsWith('\n\n'),
  );
  const rights = JSON.parse(/^event: permissions\ndata: (.*)$/m.exec(first)![1]!);
  return { reader, first, rights, headers, stop };
}

/** Returns everything a stream sends until the server ends it. */
async function readToEnd(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let output = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    output += value;
    if (done) return output;
  }
}

/** Reads the stream until `enough` returns true, and returns the events received by then. */
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
  test('live events of a row contain it as each receiver may see it: the response of a request', async () => {
    const [owner, sharer, stranger, limited] = [
      await server.person({ permissions: { dataEntry: { canAddRows: true } } }),
      await server.person(),
      await server.person(),
      await server.person(),
    ];
    const visibleColumns = ['customerName', 'dealershipId', 'status'];
    const columnVisibility = { viewAllColumns: false, visibleColumns };
    await changePermissions(server, admin, limited, { dataEntry: { columnVisibility } });
    const deal = await addDeal(server, owner, dealershipId);
    const byOwner = async (route: string, body: object) =>
      expect((await server.call(route, { token: owner.token, body })).status).toBe(200);
    const sharedWith = [{ userId: sharer.id, permissions: 'write' }];
    await byOwner(`PUT /deals/${deal._id}/sharing`, { sharedWith });
    const people = [admin, owner, sharer, stranger, limited];
    let connected = 0;
    const change = async () => {
      connected += 1;
      if (connected < people.length) return;
      await byOwner(`PATCH /deals/${deal._id}`, { version: 2, notes: 'secret\nwords', saleAmount: 100.1 });
    };
    const isChange = ({ recordId, version }: LiveEvent) => recordId === deal._id && version === 3;
    const received = await Promise.all(
      people.map(({ token }) => readEvents(token, change, (seen) => seen.some(isChange))),
    );
    for (const [at, { token }] of people.entries()) {
      const { body } = await server.call(`GET /deals/${deal._id}`, { token });
      expect(received[at]!.at(-1)).toEqual({
        id: expect.any(String),
        entity: 'deal',
        recordId: deal._id,
        action: 'updated',
        version: 3,
        row: body,
      });
      expect(body.notes).toBe(token === limited.token ? undefined : 'secret\nwords');
    }
    const edits = received.map((events) => events.at(-1)!.row!.abilities.edit);
    expect(edits).toEqual([true, true, true, 'NOT_ROW_OWNER', 'NOT_ROW_OWNER']);
  });

  test('live events of more than 300 rows at once contain ids and versions alone', async () => {
    const add = async (count: number): Promise<string[]> => {
      const deal = { dealershipId, customerName: 'One of many' };
      const rows = Array.from({ length: count }, () => ({ key: randomUUID().replaceAll('-', ''), deal }));
      const { body } = await server.call('POST /deals/bulk/create', { token: admin.token, body: { rows } });
      return body.items.map((item: { deal: { _id: string } }) => item.deal._id);
    };
    const ids = [...(await add(200)), ...(await add(MAX_EVENT_ROWS - 199))];
    const change = () =>
      server.call('POST /deals/bulk/status', { token: admin.token, body: { ids, status: 'Called' } });
    const events = await readEvents(
      admin.token,
      change,
      (seen) => seen.filter(({ version }) => version === 2).length === ids.length,
    );
    expect(events.filter(({ version, row }) => version === 2 && row !== undefined)).toEqual([]);
  });

  test('live events are delivered to a page that connects in their order, although the recent ones take longer', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    const recentIsRead = Promise.withResolvers<void>();
    let reads = 0;
    const visibility = (ids: string[]) => async () => {
      reads += 1;
      if (reads === 2) await recentIsRead.promise;
      return new Set(ids);
    };
    const live = createLiveEvents(server.db, eventBus, createLog('silent'), { deal: visibility }, {});
    const viewer = async () => ({ role: 'admin', permissions, customColumns: [] }) as unknown as Viewer;
    const listen = (withRecent: boolean) => {
      const ids: string[] = [];
      const deliver = (events: readonly SentEvent[]) =>
        void ids.push(...events.map(({ recordId }) => recordId));
      live.listen({ viewer, deliver, end: (error) => expect.unreachable(String(error)) }, { withRecent });
      return ids;
    };
    try {
      await expect.poll(() => eventBus.isListening()).toBe(true);
      const first = listen(false);
      const earlier = (await addDeal(server, admin, dealershipId))._id;
      await expect.poll(() => first).toEqual([earlier]);
      const second = listen(true);
      const later = (await addDeal(server, admin, dealershipId))._id;
      await expect.poll(() => first).toEqual([earlier, later]);
      recentIsRead.resolve();
      await expect.poll(() => second).toEqual([earlier, later]);
    } finally {
      live.stop();
      await eventBus.close();
    }
  });

  test('live events are delivered only to viewers of the record', async () => {
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

  test('live events report each of 200 changes once, by several writers with overlapping transactions', async () => {
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

  test('live events report a row that a user can no longer see as deleted, and then nothing more of it', async () => {
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

  test('live events report the deletion of a template to its owner only', async () => {
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

  test('live events of deals are not delivered to users without the page', async () => {
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

  test('live events of records used by rows are delivered to users with the page, except hidden ones', async () => {
    const closed = await addDealership(server, admin);
    const clerk = await server.person();
    const columnVisibility = { restrictedDealerships: [closed] };
    const body = { dataEntry: { columnVisibility } };
    await changePermissions(server, admin, clerk, body);
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

  test('live events require a session', async () => {
    expect((await fetch(`${url}/api/events`)).status).toBe(401);
  });

  test('live events end as soon as any instance ends the session', async () => {
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

  test('live events deliver nothing more to a stream of an ended session, also of changes in the same transaction', async () => {
    const [kim, lee] = [await server.person(), await server.person()];
    const { _id } = await addDeal(server, admin, dealershipId);
    const [kims, lees] = [await connect(kim.token), await connect(lee.token)];
    // The stream has read its session for earlier events, and would use the cached viewer.
    const earlier = await addDeal(server, admin, dealershipId);
    for (const { reader } of [kims, lees]) await readUntil(reader, (text) => text.includes(earlier._id));
    await server.db.transaction().execute(async (tx) => {
      await sql`update sessions set ended_at = now() where user_id = ${kim.id}`.execute(tx);
      await sql`insert into audit_entries (actor_name, ip, request_id, entity, record_id, version, action)
        values ('Ada', '', '', 'deal', ${_id}, 2, 'deal.updated')`.execute(tx);
      for (const notice of ['events 0', `revoked ${kim.id}`])
        await sql`select pg_notify('forecourt', ${notice})`.execute(tx);
    });
    expect(await readToEnd(kims.reader)).toBe('event: end\ndata: {"code":"NOT_SIGNED_IN"}\n\n');
    await readUntil(lees.reader, (text) => text.includes(_id));
    lees.stop();
  });

  test('live events detect lost visibility by the row at each change, also with two changes in one poll', async () => {
    const [open, closed] = [await addDealership(server, admin), await addDealership(server, admin)];
    const clerk = await server.person();
    const columnVisibility = { restrictedDealerships: [closed], restrictedStatuses: ['No deal'] };
    const body = { dataEntry: { columnVisibility } };
    await changePermissions(server, admin, clerk, body);
    const [seen, unseen, last] = [
      await addDeal(server, admin, open),
      await addDeal(server, admin, open, { status: 'No deal' }),
      await addDeal(server, admin, open),
    ];
    const idOf = async (name: string) =>
      (await server.db.selectFrom('statuses').select('id').where('name', '=', name).executeTakeFirstOrThrow())
        .id;
    /** Both changes in one transaction: no poll can run between them. */
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

  test('live events begin with the events of the loading time when requested', async () => {
    const { _id } = await addDeal(server, admin, dealershipId);
    const act = async () => addDeal(server, admin, dealershipId);
    // Once the second event is received, this instance has read the first as well.
    await readEvents(admin.token, act, (seen) => seen.length > 0);
    const { reader, first, stop } = await connect(admin.token, '?recent=1');
    // It may come before the permissions or after them.
    await readUntil(reader, (output) => output.includes(_id), first);
    stop();
    const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
    const other = await connect(pageless.token, '?recent=1');
    const more = { token: admin.token, body: { maxSessions: 7 } };
    await server.call(`PUT /permissions/user/${pageless.id}`, more);
    expect(other.first + (await other.reader.read()).value).not.toContain(_id);
    other.stop();
  });

  test('live events publish changed permissions to the user’s own pages at once', async () => {
    const kim = await server.person();
    const { reader, rights, stop } = await connect(kim.token);
    expect(rights).toMatchObject({ userId: kim.id, pages: { dataEntry: true }, version: 1 });
    await changePermissions(server, admin, kim, { pages: { dataEntry: false } });
    const { value } = await reader.read();
    stop();
    expect(value).toMatch(/^event: permissions\n/);
    expect(JSON.parse(value!.split('data: ')[1]!)).toMatchObject({
      pages: { dataEntry: false },
      version: 2,
    });
  });

  test('live events continue for the user’s other sessions when one is signed out', async () => {
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

  test('live events have the headers of every response', async () => {
    const { headers, stop } = await connect(admin.token);
    stop();
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('live events are limited to 20 streams of a session: one more ends the oldest', async () => {
    const kim = await server.person();
    const streams = [];
    for (let count = 1; count <= 21; count += 1) streams.push(await connect(kim.token));
    expect(await readToEnd(streams[0]!.reader)).toBe('');
    for (const stream of streams) stream.stop();
  });

  test('live events end a listener that cannot be served, and reach the others', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    const visibility = (ids: string[]) => async (viewer: Viewer) => {
      if (viewer.name === 'Unlucky') throw new Error('no answer');
      return new Set(ids);
    };
    const live = createLiveEvents(server.db, eventBus, createLog('silent'), { deal: visibility }, {});
    try {
      await expect.poll(() => eventBus.isListening()).toBe(true);
      const viewer = await server.call('GET /auth/me', { token: admin.token });
      const ended: unknown[] = [];
      const received = Promise.withResolvers<readonly SentEvent[]>();
      const listen = (name: string, deliver: (events: readonly SentEvent[]) => void) =>
        live.listen({
          viewer: async () => ({ ...viewer.body.data.user, name, permissions, customColumns: [] }),
          deliver,
          end: (error) => void ended.push(error),
        });
      listen('Unlucky', () => {});
      listen('Lucky', received.resolve);
      const deal = await addDeal(server, admin, dealershipId);
      expect(await received.promise).toMatchObject([{ recordId: deal._id }]);
      expect(ended).toEqual([new Error('no answer')]);
    } finally {
      live.stop();
      await eventBus.close();
    }
  });

  test('live events end a page that connects after more changes than are kept, so that it loads again', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    const live = createLiveEvents(server.db, eventBus, createLog('silent'), {}, {});
    const event = { id: '0', entity: 'job', recordId: admin.id, action: 'created', version: null } as const;
    for (let count = 1; count <= 1001; count += 1) live.publish(event);
    const ended = Promise.withResolvers<unknown>();
    const viewer = () => new Promise<Viewer>(() => {});
    live.listen({ viewer, deliver: () => {}, end: ended.resolve }, { withRecent: true });
    expect(await ended.promise).toBeUndefined();
    live.stop();
    await eventBus.close();
  });

  test('live events are authorised once for all viewers with equal permissions, and separately for others', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    const queried: string[][] = [];
    const authorised: string[] = [];
    let fails = true;
    const visibility = (ids: string[]) => {
      queried.push(ids);
      return async (viewer: Viewer) => {
        authorised.push(viewer.name);
        // An error of a briefly unavailable database is not cached for later calls.
        if (fails) {
          fails = false;
          throw new Error('no answer');
        }
        return new Set(viewer.role === 'admin' ? ids : []);
      };
    };
    const live = createLiveEvents(
      server.db,
      eventBus,
      createLog('silent'),
      { deal: visibility },
      {},
      { deal: [] },
    );
    try {
      await expect.poll(() => eventBus.isListening()).toBe(true);
      const delivered: string[] = [];
      const ended: string[] = [];
      const listen = (name: string, role: string) => {
        const received = Promise.withResolvers<void>();
        live.listen({
          viewer: async () => ({ name, role, permissions, customColumns: [] }) as unknown as Viewer,
          deliver() {
            delivered.push(name);
            received.resolve();
          },
          end: () => void ended.push(name),
        });
        return received.promise;
      };
      void listen('Unlucky', 'admin');
      void listen('Clerk 1', 'user');
      void listen('Clerk 2', 'user');
      const first = listen('Admin 1', 'admin');
      const second = listen('Admin 2', 'admin');
      const { _id } = await addDeal(server, admin, dealershipId);
      await Promise.all([first, second]);
      expect(queried).toEqual([[_id]]);
      expect(authorised).toEqual(['Unlucky', 'Clerk 1', 'Admin 1']);
      expect(delivered).toEqual(['Admin 1', 'Admin 2']);
      expect(ended).toEqual(['Unlucky']);
    } finally {
      live.stop();
      await eventBus.close();
    }
  });

  test('the server checks who lost sight of a row only when a deciding field has changed', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    const queried: string[] = [];
    const live = createLiveEvents(
      server.db,
      eventBus,
      createLog('silent'),
      { deal: () => async () => new Set() },
      {
        deal: async (viewer, changes) => {
          queried.push(viewer.name);
          return changes;
        },
      },
      { deal: ['month'] },
    );
    try {
      await expect.poll(() => eventBus.isListening()).toBe(true);
      const delivered: SentEvent[] = [];
      for (const name of ['Clerk 1', 'Clerk 2']) {
        live.listen({
          viewer: async () => ({ name, role: 'user', permissions, customColumns: [] }) as unknown as Viewer,
          deliver: (events) => void delivered.push(...events),
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
      await expect.poll(() => delivered.filter(({ recordId }) => recordId === moved)).toHaveLength(2);
      expect(queried).toEqual(['Clerk 1']);
      expect(delivered).toHaveLength(2);
      expect(delivered[0]).toMatchObject({ action: 'deleted', version: null });
    } finally {
      live.stop();
      await eventBus.close();
    }
  });

  test('live events report a row as deleted for every kind of change that hides it', async () => {
    const [open, closed] = [await addDealership(server, admin), await addDealership(server, admin)];
    const columnVisibility = { restrictedDealerships: [closed], restrictedStatuses: ['No deal'] };
    const clerk = await server.person();
    const body = { dataEntry: { columnVisibility, canAccessAllMonths: false } };
    await changePermissions(server, admin, clerk, body);
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
    expect(gone(events).map(({ recordId, row }) => [recordId, row])).toEqual([
      ...deals.map(({ _id }) => [_id, undefined]),
      [expect.any(String), undefined],
    ]);
  });

  test('live events report to users who see only their own rows what they gain and lose, and nothing of other rows', async () => {
    const own = { dataEntry: { columnVisibility: { restrictedToOwn: true } } };
    const [kim, lee] = [await server.person(), await server.person()];
    for (const person of [kim, lee]) await changePermissions(server, admin, person, own);
    const add = async () => (await addDeal(server, admin, dealershipId))._id as string;
    const [shared, owned, unseen, last] = [await add(), await add(), await add(), await add()];
    const byAdmin = async (route: string, body: object) =>
      expect((await server.call(route, { token: admin.token, body })).status, route).toBe(200);
    const share = (id: string, ...people: Person[]) =>
      byAdmin(`PUT /deals/${id}/sharing`, {
        sharedWith: people.map((person) => ({ userId: person.id, permissions: 'view' })),
      });
    const transfer = (id: string, to: Person) =>
      byAdmin('POST /deals/bulk/owner', { ids: [id], targetUserId: to.id, keepSharing: false });
    const act = async () => {
      await share(shared, kim);
      await share(shared);
      await transfer(owned, kim);
      await transfer(owned, lee);
      await byAdmin(`PATCH /deals/${unseen}`, { version: 1, notes: 'of nobody' });
      await share(last, kim, lee);
    };
    const isLast = (seen: LiveEvent[]) =>
      seen.some(({ recordId, version }) => recordId === last && version === 2);
    const [kims, lees] = await Promise.all(
      [kim, lee].map((person) =>
        readEvents(person.token, person === kim ? act : async () => undefined, isLast),
      ),
    );
    const ofDeals = (events: LiveEvent[] | undefined) =>
      (events ?? []).filter(({ entity, recordId }) => entity === 'deal' && recordId !== last);
    const newest = (id: string) => ofDeals(kims).findLast(({ recordId }) => recordId === id);
    expect([newest(shared), newest(owned)]).toMatchObject([
      { action: 'deleted', version: null },
      { action: 'deleted', version: null },
    ]);
    expect(ofDeals(lees).at(-1)).toMatchObject({ action: 'updated', recordId: owned, version: 3 });
    expect(new Set(ofDeals(lees).map(({ recordId }) => recordId))).toEqual(new Set([owned]));
    expect(newest(unseen)).toBeUndefined();
  });
});
