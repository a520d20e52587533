import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { countsOf, sealAll } from '../../../test/sealed-entries.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import { newId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createAuditService } from './audit.service.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const list = (query = '', by: Person = admin) => server.call(`GET /audit-logs${query}`, { token: by.token });
const redact = (body: object, by: Person = admin) =>
  server.call('POST /audit-logs/redact', { token: by.token, body });
const actions = ({ body }: { body: { items: { action: string }[] } }) =>
  body.items.map(({ action }) => action);

describe('the list', () => {
  test('the audit log is for administrators, and rejects invalid filters', async () => {
    expect((await server.call('GET /audit-logs')).status).toBe(401);
    expect(await list('?from=yesterday')).toMatchObject({ status: 400, body: { errors: {} } });
    expect(await list('?cursor=newest')).toMatchObject({ status: 400 });
    expect(await list('', clerk)).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } });
  });

  test('the audit log returns actor, action, record and values before and after', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Dora Deal', notes: 'Rang' });
    await server.call(`PATCH /deals/${deal._id}`, {
      token: admin.token,
      body: { version: 1, notes: 'Rang back' },
    });
    const { body } = await list(`?recordId=${deal._id}`);
    expect(body).toMatchObject({ total: 2, totalIsCapped: false, nextCursor: null });
    expect(body.items[0]).toMatchObject({
      actorId: admin.id,
      actorName: 'Ada Admin',
      action: 'deal.updated',
      recordName: 'Dora Deal',
      before: { notes: 'Rang' },
      after: { notes: 'Rang back' },
      redacted: false,
      ip: '127.0.0.1',
    });
    expect(body.names[dealershipId]).toBe('Harbour New Cars');
  });

  test('the audit log comes with the names of custom fields, which its values name by key', async () => {
    const field = { name: 'Finance company', type: 'text' };
    const { key } = (await server.call('POST /custom-fields', { token: admin.token, body: field })).body;
    const deal = await addDeal(server, clerk, dealershipId, { custom: { [key]: 'ANZ' } });
    const { body } = await list(`?recordId=${deal._id}`);
    expect(body.items[0].after).toMatchObject({ [key]: 'ANZ' });
    expect(body.names[key]).toBe('Finance company');
  });

  test('the audit log is filtered by user, action, entity, time and text', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Filtered 100% Fred' });
    const { at } = (await list(`?recordId=${deal._id}`)).body.items[0];
    const later = new Date(Date.parse(at) + 1).toISOString();
    const found = (query: string) =>
      list(query).then(({ body }) =>
        body.items.some(({ recordId }: { recordId: string }) => recordId === deal._id),
      );
    for (const [query, is] of [
      [`?actorId=${clerk.id}`, true],
      [`?actorId=${admin.id}`, false],
      ['?action=deal.created', true],
      ['?action=deal.updated', false],
      ['?entity=deal', true],
      ['?entity=user', false],
      [`?from=${at}`, true],
      [`?from=${later}`, false],
      [`?to=${later}`, true],
      [`?to=${at}`, false],
      [`?search=${encodeURIComponent('filtered 100% FRED')}`, true],
      [`?search=${encodeURIComponent('filtered 1000 fred')}`, false],
    ] as const)
      expect([query, await found(query)]).toEqual([query, is]);
  });

  test('the audit log has pages without repeats or gaps despite concurrent writes', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    for (let version = 1; version <= 6; version += 1)
      await server.call(`PATCH /deals/${deal._id}`, {
        token: admin.token,
        body: { version, notes: `Call ${version}` },
      });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await list(`?recordId=${deal._id}&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ _id }: { _id: string }) => _id));
      ({ nextCursor: cursor } = body);
      await addDeal(server, clerk, dealershipId);
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => Number(b) - Number(a)));
  });

  test('the audit log finds each entry by person, action, kind, time and text on pages of any size, whether sealed or not', async () => {
    const [ann, bob] = [await server.person({ name: 'Ann' }), await server.person({ name: 'Bob' })];
    const start = Date.parse('2026-03-01T10:00:00Z');
    const insert = (from: number, to: number) =>
      sql`insert into audit_entries (created_at, actor_id, actor_name, ip, request_id, action, entity, after)
        select to_timestamp(${start / 1000}::float8 + n * 400 - n % 7 * 1000), case n % 3 when 0 then ${ann.id}::uuid else ${bob.id}::uuid end,
          '', '', 'made', entity || '.' || case n % 4 when 0 then 'deleted' else 'updated' end, entity,
          jsonb_build_object('name', 'Örtchen ' || n)
        from generate_series(${from}::int, ${to}::int) as n, lateral (
          select case when n % 11 = 0 then 'item' else 'dealership' end as entity) as kind`.execute(
        server.db,
      );
    // Each part has thousands of its own, and the third one is not sealed.
    for (const part of [0, 1, 2]) {
      await sql`select setval(pg_get_serial_sequence('audit_entries', 'id'), (select max(id) + 7000 from audit_entries))`.execute(
        server.db,
      );
      for (let n = 0; n < 3; n += 1) {
        await insert(part * 60 + n * 20, part * 60 + n * 20 + 19);
        await sql`select setval(pg_get_serial_sequence('audit_entries', 'id'), (select max(id) + 990 from audit_entries))`.execute(
          server.db,
        );
      }
      if (part < 2) await sealAll(server);
    }
    type Entry = { _id: string; at: string; actorId: string; action: string; entity: string; after: object };
    const all = async (query: string, limit: number): Promise<Entry[]> => {
      const found: Entry[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await list(`?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
        found.push(...body.items.filter(({ requestId }: { requestId: string }) => requestId === 'made'));
        cursor = body.nextCursor;
      }
      return found;
    };
    const entries = await all('', 200);
    expect(entries).toHaveLength(180);
    const from = new Date(start + 9_300_000).toISOString();
    const to = new Date(start + 60_000_000).toISOString();
    const isInTime = ({ at }: Entry) => at >= from && at < to;
    const filters: [string, (entry: Entry) => boolean][] = [
      [`&actorId=${ann.id}`, ({ actorId }) => actorId === ann.id],
      ['&entity=item', ({ entity }) => entity === 'item'],
      ['&action=item.deleted', ({ action }) => action === 'item.deleted'],
      [`&from=${from}&to=${to}`, isInTime],
      [
        `&entity=item&actorId=${bob.id}&from=${from}`,
        ({ entity, actorId, at }) => entity === 'item' && actorId === bob.id && at >= from,
      ],
      [
        `&entity=dealership&search=${encodeURIComponent('ÖRTCHEN 1')}&to=${to}`,
        ({ entity, after, at }) =>
          entity === 'dealership' && JSON.stringify(after).includes('Örtchen 1') && at < to,
      ],
      ['&entity=item&search=TCHEN', ({ entity }) => entity === 'item'],
    ];
    for (const [query, matches] of filters) {
      const expected = entries.filter(matches).map(({ _id }) => _id);
      expect(expected.length).toBeGreaterThan(0);
      for (const limit of [1, 7, 200])
        expect([query, limit, (await all(query, limit)).map(({ _id }) => _id)]).toEqual([
          query,
          limit,
          expected,
        ]);
    }
  });

  test('a page of the audit log ends early on a slow machine and says how far it has searched, and further pages find the rest', async () => {
    for (let n = 0; n < 8; n += 1) {
      await sql`select setval(pg_get_serial_sequence('audit_entries', 'id'), (select max(id) + 9000 from audit_entries))`.execute(
        server.db,
      );
      await sql`insert into audit_entries (actor_name, ip, request_id, action, entity)
        values ('', '', 'zebra', 'item.updated', 'item')`.execute(server.db);
    }
    // By this clock each statement takes 100 ms: a page has time for two.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const db = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        now += 100;
        return Promise.resolve(result);
      },
    });
    const log = createAuditService(createSecrets(Buffer.alloc(32)));
    const next = (cursor?: string) =>
      log.list({ db } as unknown as Context, { search: 'ZEBRA', limit: 50, cursor });
    try {
      const pages = [await next()];
      while (pages.at(-1)!.nextCursor !== null) pages.push(await next(pages.at(-1)!.nextCursor!));
      const entries = await server.db
        .selectFrom('audit_entries')
        .select(['id', 'created_at', 'request_id'])
        .orderBy('id', 'desc')
        .execute();
      const [first] = pages;
      // Five thousand numbers by the first statement, and twenty by the second one, which takes longer than it should.
      expect(first!.nextCursor).toBe(String(entries[0]!.id + 1 - 25_000));
      expect(first).toMatchObject({ total: 3, totalIsCapped: true });
      for (const { nextCursor, searchedTo } of pages)
        expect(searchedTo).toBe(
          nextCursor && entries.findLast(({ id }) => id >= Number(nextCursor))!.created_at,
        );
      expect(pages.flatMap(({ items }) => items.map(({ _id }) => Number(_id)))).toEqual(
        entries.filter(({ request_id }) => request_id === 'zebra').map(({ id }) => id),
      );
      expect(pages.at(-1)).toMatchObject({ items: [], total: 0, totalIsCapped: false });
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('the counts of sealed entries are those of the entries, also of a transaction that ends late', async () => {
    const late = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const insert = (db: Db | Tx) =>
      sql`insert into audit_entries (actor_id, actor_name, ip, request_id, action, entity)
        values (${admin.id}, '', '', 'late', 'item.updated', 'item')`.execute(db);
    const ending = server.db.transaction().execute(async (tx) => {
      await insert(tx);
      begun.resolve();
      await late.promise;
    });
    await begun.promise;
    await insert(server.db);
    await sealAll(server);
    late.resolve();
    await ending;
    const found = (await list('?entity=item&limit=200')).body.items;
    expect(found.filter(({ requestId }: { requestId: string }) => requestId === 'late')).toHaveLength(2);
    await sealAll(server);
    const { stored, computed } = await countsOf(server);
    expect(stored.people.length).toBeGreaterThan(0);
    expect(stored).toEqual(computed);
  });

  test('the audit log contains no secret that was entered', async () => {
    const secret = 'correct horse battery';
    await server.call(`PUT /email-settings/user/${clerk.id}`, {
      token: admin.token,
      body: {
        smtpHost: '127.0.0.1',
        smtpPort: 9,
        smtpSecure: false,
        smtpUser: 'kim',
        smtpPassword: 'a mail password',
        smtpFromEmail: 'kim@example.com',
      },
    });
    await server.call('POST /auth/change-password', {
      token: (await server.person({ name: 'Changed' })).token,
      body: { currentPassword: secret, newPassword: 'a wholly new password' },
    });
    await server.call('POST /auth/login', { body: { email: clerk.email, password: 'a wrong password' } });
    const log = JSON.stringify((await list('?limit=200')).body.items);
    expect(log).toContain('session.refused');
    expect(log).toContain('"passwordChanged":true');
    expect(log).not.toMatch(/correct horse|wholly new|a mail password|a wrong password/);
  });
});

describe('redaction', () => {
  const deleted = async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Paula Purged' });
    await server.call(`DELETE /deals/${deal._id}`, { token: admin.token });
    return deal._id as string;
  };
  const reason = 'The customer asked for it';

  test('redaction is for administrators, requires a reason and a record, and rejects an existing record', async () => {
    const id = await deleted();
    expect((await server.call('POST /audit-logs/redact', { body: { recordId: id, reason } })).status).toBe(
      401,
    );
    expect(await redact({ recordId: id, reason: ' ' })).toMatchObject({
      status: 400,
      body: { errors: { reason: 'Reason is required' } },
    });
    expect((await redact({ recordId: id, reason }, clerk)).status).toBe(403);
    expect((await redact({ recordId: newId(), reason })).status).toBe(404);
    const there = await addDeal(server, clerk, dealershipId);
    expect(await redact({ recordId: there._id, reason })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE' },
    });
  });

  test('redaction removes the values, records author and reason, and preserves the chain', async () => {
    const id = await deleted();
    await sealAll(server);
    expect(await redact({ recordId: id, reason })).toMatchObject({ status: 200, body: { redacted: 2 } });
    await sealAll(server);
    const reply = await list(`?recordId=${id}`);
    expect(actions(reply)).toEqual(['audit.blanked', 'deal.deleted', 'deal.created']);
    expect(reply.body.items[0]).toMatchObject({ actorName: 'Ada Admin', after: { reason }, redacted: false });
    for (const entry of reply.body.items.slice(1))
      expect(entry).toMatchObject({ before: null, after: null, redacted: true });
    expect((await list(`?recordId=${id}&search=paula`)).body.items).toEqual([]);
    const verified = await server.call('GET /audit-logs/verify', { token: admin.token });
    expect(verified.body).toMatchObject({ problems: [], next: null });
    expect(await redact({ recordId: id, reason })).toMatchObject({ body: { redacted: 0 } });
  });
});
