import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { addDeal, newestAudit } from '../../../test/builders.ts';
import { openOffice } from './office.fixture.ts';

const MAY_HAVE = 'The mail server may have delivered it.';

let dealId: string;
const office = await openOffice({ UNDO_SEND_SECONDS: 0 });
afterAll(() => office.close());
beforeEach(async () => {
  const { server, clerk, dealershipId } = office;
  dealId = (await addDeal(server, clerk, dealershipId, { customerName: 'Ann' }))._id as string;
});

const byClerk = (route: string, body?: object) =>
  office.server.call(route, { token: office.clerk.token, ...(body && { body }) });
const byAdmin = (route: string, body: object = {}) =>
  office.server.call(route, { token: office.admin.token, ...(!route.startsWith('GET') && { body }) });
const send = async () => (await office.send({ dealId })).body;
const change = async (id: string, what: 'cancel' | 'retry') =>
  (await byClerk(`POST /email/logs/${id}/${what}`)).body;
const entryOf = async (id: string) => (await byClerk(`GET /email/logs/${id}`)).body;
const rowState = async () => (await byClerk(`GET /deals/${dealId}`)).body.emailStatus;
const isFoundAs = async (state: string) => {
  const filter = { match: 'all', conditions: [{ field: 'emailState', operator: 'isAnyOf', value: [state] }] };
  const { month } = (await byClerk(`GET /deals/${dealId}`)).body;
  const query = `month=${month}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { items } = (await byClerk(`GET /deals?${query}`)).body;
  return items.some(({ _id }: { _id: string }) => _id === dealId);
};

/** Sends a message whose connection is lost after its last byte. */
async function sendUnanswered() {
  office.mail.next('drop');
  const entry = await send();
  expect(entry).toMatchObject({ status: 'retrying', answer: expect.stringContaining(MAY_HAVE) });
  return entry;
}

test('a message whose answer is lost is not called unsent when it is cancelled: in the log, the audit, the row and filters', async () => {
  const { _id } = await sendUnanswered();
  expect(await change(_id, 'cancel')).toMatchObject({
    status: 'unconfirmed',
    answer: expect.stringContaining(MAY_HAVE),
  });
  expect(await newestAudit(office.server, _id)).toMatchObject({ after: { status: 'unconfirmed' } });
  expect(await rowState()).toBe('unconfirmed');
  expect([await isFoundAs('unconfirmed'), await isFoundAs('notSent')]).toEqual([true, false]);
});

test('a message that was refused is called unsent when it is cancelled', async () => {
  office.mail.next({ code: 451, text: 'later' });
  const { _id } = await send();
  expect((await change(_id, 'cancel')).status).toBe('cancelled');
  expect([await rowState(), await isFoundAs('notSent')]).toEqual(['cancelled', true]);
});

test('a refusal does not undo that an earlier attempt may have arrived, and its sender is told so', async () => {
  const { _id } = await sendUnanswered();
  office.mail.next({ code: 554, text: 'no longer' });
  await change(_id, 'retry');
  await expect.poll(async () => (await entryOf(_id)).status).toBe('unconfirmed');
  expect((await entryOf(_id)).answer).toMatch(/554.*no longer.* The mail server may have delivered it\./);
  expect((await byClerk('GET /notifications')).body.items[0]).toMatchObject({ kind: 'emailUnconfirmed' });
});

test('a message that may have arrived is warned about before it is sent again, and its retry can confirm it', async () => {
  const { _id } = await sendUnanswered();
  await change(_id, 'cancel');
  const { status, body } = await office.send({ dealId, again: false });
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'ALREADY_SENT',
    details: expect.stringContaining('may have arrived'),
    current: { isUnconfirmed: true, sentAt: null },
  });
  await change(_id, 'retry');
  await expect.poll(async () => (await entryOf(_id)).status).toBe('sent');
  expect(await rowState()).toBe('sent');
});

test('cancelling all emails of a merge tells those apart that may have arrived', async () => {
  const { server, clerk, dealershipId } = office;
  const second = await addDeal(server, clerk, dealershipId, { customerName: 'Bea' });
  const sendAt = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const { body } = await byAdmin('POST /deals/bulk/email', { ids: [dealId, second._id], sendAt });
  const { items } = (await byAdmin(`GET /email/logs?batchId=${body._id}`)).body;
  const unanswered = { status: 'retrying', fate_unknown: true };
  await server.db.updateTable('emails').set(unanswered).where('id', '=', items[0]._id).execute();
  await byAdmin(`POST /email/batches/${body._id}/cancel`);
  const { counts } = (await byAdmin(`GET /email/batches/${body._id}`)).body;
  expect(counts).toEqual({ cancelled: 1, unconfirmed: 1 });
});

test('an administrator who discards mail on hold does not call unsent what may have arrived', async () => {
  const unanswered = await sendUnanswered();
  office.mail.next({ code: 451, text: 'later' });
  const refused = await send();
  await office.server.db
    .updateTable('emails')
    .set({ held_at: sql<string>`now()`, hold_reason: 'overdue' })
    .where('id', 'in', [unanswered._id, refused._id])
    .execute();
  expect((await byAdmin('POST /backups/held-mail/discard')).body).toEqual({ total: 2 });
  expect(await entryOf(refused._id)).toMatchObject({ status: 'cancelled' });
  expect(await entryOf(unanswered._id)).toMatchObject({
    status: 'unconfirmed',
    answer: expect.stringContaining(MAY_HAVE),
  });
});
