import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { sealAll } from './audit.fixture.ts';

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
