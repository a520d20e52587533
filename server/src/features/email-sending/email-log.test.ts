import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { configure, contact, openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, other, dealId, send } = office;
afterAll(() => office.close());

describe('calling back', () => {
  const cancel = (id: string, token = clerk.token) => server.call(`POST /email/logs/${id}/cancel`, { token });

  test('works while it waits, for its sender and administrators, once', async () => {
    const { body } = await send({ dealId });
    expect((await cancel(body._id, other.token)).status).toBe(404);
    expect(await cancel(body._id)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', cancellableUntil: null, nextAttemptAt: null },
    });
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'email.updated',
      after: { status: 'cancelled' },
    });
    expect(await cancel(body._id)).toMatchObject({ status: 409, body: { current: { status: 'cancelled' } } });
    const { body: second } = await send({ dealId });
    expect((await cancel(second._id, admin.token)).status).toBe(200);
  });

  test('works for a planned one until its time', async () => {
    /** On Sydney's clock, where `sv-SE` writes `2026-11-20 09:30`. */
    const inDays = (days: number) =>
      new Intl.DateTimeFormat('sv-SE', {
        timeZone: 'Australia/Sydney',
        dateStyle: 'short',
        timeStyle: 'short',
      })
        .format(Date.now() + days * 86_400_000)
        .replace(' ', 'T');
    const sendAt = inDays(2);
    const planned = await send({ dealId, sendAt });
    const { nextAttemptAt, cancellableUntil } = planned.body;
    expect(planned).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect(cancellableUntil).toBe(nextAttemptAt);
    const hoursAway = (Date.parse(nextAttemptAt) - Date.now()) / 3_600_000;
    expect(hoursAway).toBeGreaterThan(46);
    expect(hoursAway).toBeLessThan(50);
    expect((await cancel(planned.body._id)).body.status).toBe('cancelled');
    // A test is waited for, but not until the day after tomorrow.
    expect((await send({ dealId, sendAt, to: [clerk.email] })).body.status).toBe('queued');
    for (const wrong of [inDays(-1), inDays(400), '2026-13-01T09:00', 'soon']) {
      const { status, body } = await send({ dealId, sendAt: wrong });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['sendAt']]);
    }
  });

  test('is too late once it is sent', async () => {
    const { body } = await send({ dealId, to: [clerk.email] });
    expect((await cancel(body._id)).status).toBe(409);
  });
});

describe('the history', () => {
  const logs = (query = '', token = clerk.token) => server.call(`GET /email/logs${query}`, { token });
  beforeEach(async () => {
    await send({ dealId, to: ['sam@dealer.example'] }, { token: other.token });
  });

  test('is one’s own for staff and everybody’s for administrators', async () => {
    const own = await logs('', other.token);
    expect(own.body).toMatchObject({ page: 1, limit: 50 });
    expect(new Set(own.body.items.map((item: { senderId: string }) => item.senderId))).toEqual(
      new Set([other.id]),
    );
    const all = await logs('', admin.token);
    expect(all.body.total).toBeGreaterThan(own.body.total);
    expect((await logs(`?userId=${other.id}`, admin.token)).body.total).toBe(own.body.total);
    expect((await logs(`?userId=${other.id}`, other.token)).body.total).toBe(own.body.total);
    expect((await logs(`?userId=${other.id}`)).status).toBe(403);
  });

  test('comes in pages, newest first, filtered and searched', async () => {
    const { body: first } = await logs('?limit=2&page=1', admin.token);
    const { body: second } = await logs('?limit=2&page=2', admin.token);
    expect(first.items).toHaveLength(2);
    expect(first.totalPages).toBe(Math.ceil(first.total / 2));
    expect(first.items[1].createdAt >= second.items[0].createdAt).toBe(true);
    expect((await logs('?search=HARBOUR%20new', other.token)).body.total).toBeGreaterThan(0);
    expect((await logs('?search=100%25', admin.token)).body.total).toBe(0);
    expect(
      (await logs('?search=_____________________________________________________________', admin.token)).body
        .total,
    ).toBe(0);
    const { body: queued } = await logs('?status=queued', other.token);
    expect(new Set(queued.items.map((item: { status: string }) => item.status))).toEqual(new Set(['queued']));
    for (const query of ['?limit=201', '?page=0', '?status=lost', '?sort=html'])
      expect((await logs(query)).status).toBe(400);
  });

  test('is filtered by person, template, dealership, deal and time', async () => {
    const weekly = await addTemplate(server, admin, { name: 'Weekly' });
    const elsewhere = await addDealership(server, admin, {
      name: 'Elsewhere',
      defaultEmailTemplateId: weekly,
      contacts: [contact('Wim', { templateName: 'Weekly' })],
    });
    const { _id: about } = await addDeal(server, clerk, elsewhere, { customerName: 'Otis' });
    const { body } = await send({ dealId: about }, { token: admin.token, id: weekly });
    const found = async (query: string, token = admin.token) =>
      (await logs(`?${query}`, token)).body.items.map((item: { _id: string }) => item._id);
    for (const query of [`templateId=${weekly}`, `dealershipId=${elsewhere}`, `dealId=${about}`]) {
      expect(await found(query), query).toEqual([body._id]);
      expect(await found(query, other.token), query).toEqual([]);
      expect(await found(`${query}&userId=${other.id}`), query).toEqual([]);
    }
    expect(await found(`from=${body.createdAt}`)).toContain(body._id);
    expect(await found(`to=${body.createdAt}`)).not.toContain(body._id);
    expect(await found(`to=${body.createdAt}`)).not.toEqual([]);
    expect((await logs('?from=today')).status).toBe(400);
  });

  test('one message is for its sender and administrators, who may read messages', async () => {
    const { body: list } = await logs('', other.token);
    const id = list.items[0]._id;
    expect((await logs(`/${id}`)).status).toBe(404);
    expect((await logs(`/${id}`, admin.token)).body.html).toContain('<html');
    const blind = await server.person({
      name: 'Bill Blind',
      permissions: { dataEntry: { canViewEmailPreview: false } },
    });
    await configure(server, admin, blind, mail.port);
    const { body } = await send({ dealId }, { token: blind.token });
    expect((await logs(`/${body._id}`, blind.token)).status).toBe(403);
  });
});
