import type { TimelineEntry } from '@forecourt/contract/deal-timeline';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { addDeal } from '../../../test/builders.ts';
import { openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, admin, clerk, other, dealershipId, send } = office;
afterAll(() => office.close());

const timeline = (id: string, { token }: Partial<Person> = clerk) =>
  server.call(`GET /deals/${id}/timeline`, { token });
const entriesOf = async (id: string, by?: Person): Promise<TimelineEntry[]> =>
  (await timeline(id, by)).body.items;
const emailsOf = async (id: string, by?: Person) =>
  (await entriesOf(id, by)).flatMap((entry) => (entry.kind === 'email' ? [entry] : []));
const restricted = (columnVisibility: object) =>
  server.person({ permissions: { dataEntry: { columnVisibility } } as never });

/** Sends about a row and sets the state that a worker would. */
async function email(id: string, by: Person, state: object = { answer: '' }): Promise<string> {
  const { status, body } = await send({ dealId: id }, { token: by.token });
  expect([status, body.message]).toEqual([202, undefined]);
  await server.db.updateTable('emails').set(state).where('id', '=', body._id).execute();
  return body._id;
}
const delivered = () => ({
  status: 'sent',
  sent_at: sql<string>`now()`,
  next_attempt_at: null,
  cancellable_until: null,
});

test('the timeline of a deal returns 404 for a hidden row, also to the sender of emails about it', async () => {
  const row = await addDeal(server, clerk, dealershipId, { customerName: 'Hidden Hal' });
  const sender = await server.person({ name: 'Sid Sender' });
  const message = await email(row._id, clerk);
  await server.db.updateTable('emails').set({ sender_id: sender.id }).where('id', '=', message).execute();
  expect(await emailsOf(row._id, sender)).toHaveLength(1);
  const blind = await restricted({ restrictedDealerships: [dealershipId] });
  await server.db.updateTable('emails').set({ sender_id: blind.id }).where('id', '=', message).execute();
  const reply = await timeline(row._id, blind);
  expect(reply.status).toBe(404);
  expect(JSON.stringify(reply.body)).not.toMatch(/Hal|About/);
});

test('merges changes, comments and own emails, newest first', async () => {
  const row = await addDeal(server, clerk, dealershipId, { customerName: 'Tim Line' });
  const body = { version: 1, notes: 'Rang' };
  await server.call(`PATCH /deals/${row._id}`, { token: clerk.token, body });
  const message = await email(row._id, clerk, { status: 'failed', answer: '550 No such user' });
  await server.call(`POST /deals/${row._id}/comments`, {
    token: clerk.token,
    body: { body: 'Wrong address' },
  });
  const entries = await entriesOf(row._id);
  expect(entries).toMatchObject([
    { kind: 'change', change: { action: 'commentAdded' } },
    {
      kind: 'email',
      email: {
        _id: message,
        subject: 'About Tim Line',
        templateName: 'Daily',
        to: ['sam@dealer.example'],
        status: 'failed',
        answer: '550 No such user',
      },
    },
    { kind: 'change', change: { action: 'updated', changes: [{ field: 'notes', after: 'Rang' }] } },
    { kind: 'change', change: { action: 'created' } },
  ]);
});

test('the timeline of a deal shows other senders’ messages to administrators, and to others their last delivery only', async () => {
  const row = await addDeal(server, clerk, dealershipId, { customerName: 'Oli Others' });
  await email(row._id, clerk, delivered());
  await email(row._id, clerk);
  expect((await emailsOf(row._id, admin)).map((entry) => entry.email?.status)).toEqual(['queued', 'sent']);
  const seen = await emailsOf(row._id, other);
  const { lastEmailedAt } = (await server.call(`GET /deals/${row._id}`, { token: other.token })).body;
  expect(seen).toEqual([{ kind: 'email', at: lastEmailedAt, email: null }]);
  // One's own delivery is not listed a second time.
  await email(row._id, other, delivered());
  expect((await emailsOf(row._id, other)).map((entry) => entry.email?.senderName)).toEqual(['Otto Other']);
});

test('the timeline of a deal has no emails for a reader without the mail column, and no hidden column', async () => {
  const row = await addDeal(server, clerk, dealershipId, { customerName: 'Rita Rest', notes: 'secret' });
  await email(row._id, clerk, delivered());
  const reader = await restricted({ viewAllColumns: false, visibleColumns: ['customerName'] });
  const entries = await entriesOf(row._id, reader);
  expect(entries.map(({ kind }) => kind)).toEqual(['change']);
  expect(JSON.stringify(entries)).not.toMatch(/secret|About|sam@/);
});
