import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { configure, contact, openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, other, dealId, send } = office;
afterAll(() => office.close());

/** A local time in Sydney, in the format of `sv-SE`: `2026-11-20 09:30`. */
const inDays = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Australia/Sydney',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(Date.now() + days * 86_400_000)
    .replace(' ', 'T');

const paused = await server.person({
  name: 'Paula Paused',
  permissions: { dataEntry: { canAddRows: true } },
});
await configure(server, admin, paused, mail.port);
await server.db
  .updateTable('email_settings')
  .set({ pause_reason: 'The password is wrong.' })
  .where('user_id', '=', paused.id)
  .execute();

describe('cancelling and retrying', () => {
  const cancel = (id: string, token = clerk.token) => server.call(`POST /email/logs/${id}/cancel`, { token });

  const retry = (id: string, token = clerk.token) => server.call(`POST /email/logs/${id}/retry`, { token });

  test('cancelling or retrying an email works while a message waits, for its sender and administrators, once', async () => {
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

  test('cancelling or retrying an email works for a planned one until its time', async () => {
    const sendAt = inDays(2);
    const planned = await send({ dealId, sendAt });
    const { nextAttemptAt, cancellableUntil } = planned.body;
    expect(planned).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect(cancellableUntil).toBe(nextAttemptAt);
    const hoursAway = (Date.parse(nextAttemptAt) - Date.now()) / 3_600_000;
    expect(hoursAway).toBeGreaterThan(46);
    expect(hoursAway).toBeLessThan(50);
    expect((await cancel(planned.body._id)).body.status).toBe('cancelled');
    // A request waits for a test, but not until the day after tomorrow.
    expect((await send({ dealId, sendAt, to: [clerk.email] })).body.status).toBe('queued');
    const year = new Date().getFullYear() + 1;
    const never = [
      `${year}-02-30T09:00`,
      `${year}-06-31T09:00`,
      `${year}-13-01T09:00`,
      `${year}-01-05T24:00`,
    ];
    for (const wrong of [inDays(-1), inDays(400), ...never, '0000-01-05T09:00', 'soon']) {
      const { status, body } = await send({ dealId, sendAt: wrong });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['sendAt']]);
    }
  });

  test.each([
    ['2024-10-06T01:59', 'Choose a time that is still to come'],
    ['2024-10-06T02:00', 'The clocks go forward then and skip this time'],
    ['2024-10-06T02:59', 'The clocks go forward then and skip this time'],
    ['2024-10-06T03:00', 'Choose a time that is still to come'],
  ])('cancelling or retrying an email is rejected for %s: %s', async (sendAt, refusal) => {
    expect(await send({ dealId, sendAt })).toMatchObject({
      status: 400,
      body: { errors: { sendAt: refusal } },
    });
  });

  /** Creates a message in a state left by a worker. */
  const inState = async (state: object, sender = clerk) => {
    const { _id } = (await send({ dealId })).body;
    await server.db
      .updateTable('emails')
      .set({ sender_id: sender.id, ...state })
      .where('id', '=', _id)
      .execute();
    return _id as string;
  };
  const later = () => sql<string>`now() + interval '20 hours'`;
  const waiting = [
    ['due', { next_attempt_at: sql<string>`now()`, cancellable_until: null }],
    ['retried', { status: 'retrying', attempts: 4, next_attempt_at: later(), cancellable_until: null }],
    ['planned and tried once', { status: 'retrying', attempts: 1, next_attempt_at: later() }],
    ['failed', { status: 'failed', attempts: 9, next_attempt_at: null }],
  ] as const;

  test.each(waiting)('cancelling works for a message that is %s', async (_, state) => {
    // No worker leases it meanwhile: its sender's queue is paused.
    const id = await inState(state, paused);
    expect(await cancel(id, paused.token)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', nextAttemptAt: null },
    });
    expect(await newestAudit(server, id)).toMatchObject({
      before: { status: 'status' in state ? state.status : 'queued' },
      after: { status: 'cancelled' },
    });
  });

  test.each(waiting)('retrying works for a message that is %s', async (_, state) => {
    const id = await inState(state, paused);
    expect((await retry(id, other.token)).status).toBe(404);
    const { status, body } = await retry(id, paused.token);
    expect([status, body.status]).toEqual([200, 'queued']);
    expect(Date.parse(body.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('retrying an email sends a planned one', async () => {
    const { _id } = (await send({ dealId, sendAt: inDays(2) })).body;
    expect((await retry(_id)).status).toBe(200);
    const entry = () => server.call(`GET /email/logs/${_id}`, { token: clerk.token });
    await expect.poll(async () => (await entry()).body.status).toBe('sent');
  });

  test.each(['sending', 'sent', 'cancelled'])('neither works for a message that is %s', async (status) => {
    const lease = status === 'sending' ? { leased_until: later() } : {};
    const id = await inState({ status, ...lease });
    for (const act of [cancel, retry])
      expect(await act(id)).toMatchObject({ status: 409, body: { current: { _id: id, status } } });
  });

  test('a held message can be cancelled by its sender, and retried by administrators only', async () => {
    const park = { held_at: sql<string>`now()`, hold_reason: 'overdue', cancellable_until: null };
    const [first, second] = [await inState(park, paused), await inState(park, paused)];
    expect(await retry(first, paused.token)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('administrator'), current: { holdReason: 'overdue' } },
    });
    expect((await retry(first, admin.token)).body).toMatchObject({ status: 'queued', holdReason: null });
    expect((await cancel(second, paused.token)).body).toMatchObject({
      status: 'cancelled',
      holdReason: null,
    });
  });

  test('cancelling or retrying an email is too late once it is sent', async () => {
    const { body } = await send({ dealId, to: [clerk.email] });
    expect((await cancel(body._id)).status).toBe(409);
  });
});

describe('the history', () => {
  const logs = (query = '', token = clerk.token) => server.call(`GET /email/logs${query}`, { token });
  beforeEach(async () => {
    await send({ dealId, to: ['sam@dealer.example'] }, { token: other.token });
  });

  test('the email history contains own messages for staff and all for administrators', async () => {
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

  test('the email history has pages, newest first, filtered and searched', async () => {
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

  test('the email history is filtered by user, template, dealership, deal and time', async () => {
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

  test('one message is for its sender and administrators who may read messages', async () => {
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
