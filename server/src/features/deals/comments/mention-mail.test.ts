import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, changePermissions } from '../../../../test/builders.ts';
import { messageIds, openMailServer, readMail } from '../../../../test/smtp.ts';
import { newId } from '../../../platform/ids.ts';

const BASE = 'https://forecourt.example';

let kim: Person;
let bob: Person;
/** A row of Kim's. */
let dealId: string;
const mail = await openMailServer({ password: 'right' });
const SMTP_URL = `smtp://desk:right@127.0.0.1:${mail.port}?from=desk@shine.example`;
const server = await testApp({ SMTP_URL, PUBLIC_URL: `${BASE}/`, COMPANY_NAME: 'Shine & Shield' });
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, ada);
afterAll(async () => {
  await server.close();
  await mail.close();
});
beforeEach(async () => {
  kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
  bob = await server.person({ name: 'Bob Burr' });
  ({ _id: dealId } = await addDeal(server, kim, dealershipId, { customerName: 'Ann Example' }));
});

type JobTables = {
  'pgboss.job': { name: string; state: string; start_after: Date; data: { tries?: number } };
};
const mentionJobs = (on = server) =>
  // pg-boss has its own tables.
  on.db.withTables<JobTables>();
const unfinished = async (on = server) =>
  (
    await mentionJobs(on)
      .selectFrom('pgboss.job')
      .where('name', '=', 'mention-mail')
      .where('state', 'in', ['created', 'retry', 'active'])
      .select(['state', 'start_after', 'data'])
      .execute()
  ).map(({ start_after, ...job }) => ({ ...job, waits: new Date(start_after).getTime() - Date.now() }));

/** Runs the waiting jobs now instead of in a minute, with their retries; returns the messages that arrived by them. */
async function sent(on = server) {
  const before = mail.arrived.length;
  await expect
    .poll(
      async () => {
        await mentionJobs(on)
          .updateTable('pgboss.job')
          .set({ start_after: new Date(0) })
          .where('name', '=', 'mention-mail')
          .where('state', '=', 'created')
          .execute();
        return unfinished(on);
      },
      { interval: 100 },
    )
    .toEqual([]);
  return mail.arrived.slice(before);
}
const recipients = async () => (await sent()).map(({ envelope }) => envelope.to.join()).toSorted();

const post = (by: Person, body: object, headers = {}) =>
  server.call(`POST /deals/${dealId}/comments`, { token: by.token, body, headers });
const add = async (by: Person, body: string, ...mentioned: Person[]) => {
  const reply = await post(by, { body, mentions: mentioned.map(({ id }) => id) });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body as { _id: string; version: number };
};
const patch = async (by: Person, id: string, body: object) => {
  const reply = await server.call(`PATCH /deals/${dealId}/comments/${id}`, { token: by.token, body });
  expect(reply).toMatchObject({ status: 200 });
};
const read = (by: Person, commentId: string) =>
  server.call(`PUT /deals/${dealId}/comments/read`, { token: by.token, body: { commentId } });
const turn = (by: Person, mentionMail: boolean) =>
  server.call('PUT /notifications/settings', { token: by.token, body: { mentionMail } });
const setActive = (person: Person, is_active: boolean) =>
  server.db.updateTable('users').set({ is_active }).where('id', '=', person.id).execute();
const restrict = (person: Person, columnVisibility: object) =>
  changePermissions(server, ada, person, { dataEntry: { columnVisibility } });
const notificationsOf = async (by: Person): Promise<string[]> =>
  (await server.call('GET /notifications', { token: by.token })).body.items.map(
    ({ kind, byName, isRead }: { kind: string; byName: string; isRead: boolean }) =>
      `${isRead ? 'read ' : ''}${kind} by ${byName}`,
  );

test('mail about a mention has the author, the row, the quoted text and a link to the comment, as plain text, after a minute', async () => {
  const { _id } = await add(kim, 'Please check, @Bob Burr\n\n<b>now</b>\u2028https://evil.example', bob);
  const [job, ...others] = await unfinished();
  expect(others).toEqual([]);
  expect(job!.waits).toBeGreaterThan(30_000);
  expect(JSON.stringify(job!.data)).not.toContain('Please');
  const [received] = await sent();
  expect(received!.envelope).toEqual({ from: 'desk@shine.example', to: [bob.email] });
  expect(received!.raw).not.toMatch(/content-type: text\/html/i);
  const { from, subject, text } = await readMail(received!);
  expect(from).toMatchObject({ name: 'Shine & Shield', address: 'desk@shine.example' });
  expect(subject).toBe('Kim Novak mentioned you in a comment on Ann Example');
  expect(text?.trim().replaceAll('\r\n', '\n')).toBe(
    [
      'Hello Bob Burr,',
      'Kim Novak mentioned you in a comment on Ann Example:',
      '> Please check, @Bob Burr\n>\n> <b>now</b>\n> https://evil.example',
      'Read the comments and reply here:',
      `${BASE}/data-entry/${dealId}?comment=${_id}`,
      'You get no further mail about this row until you have read its comments.',
      `You can turn this mail off in your account: ${BASE}/account`,
    ].join('\n\n'),
  );
});

test('mail about a mention goes only to mentioned users, and not to the author', async () => {
  await add(bob, 'First');
  // Kim owns the row, Bob has commented on it.
  await add(ada, '@Ada Admin, see this', ada);
  expect(await recipients()).toEqual([]);
  await add(ada, '@Kim Novak and @Bob Burr', kim, bob);
  expect(await recipients()).toEqual([bob.email, kim.email].toSorted());
});

test('mail about a mention names no customer to a reader who does not see that column', async () => {
  await restrict(bob, { viewAllColumns: false, visibleColumns: ['notes'] });
  await add(kim, '@Bob Burr', bob);
  const { subject, text } = await readMail((await sent())[0]!);
  expect(subject).toBe('Kim Novak mentioned you in a comment on a row');
  expect(text).not.toContain('Ann');
});

test('mail about a mention has one recipient and one line of subject, whatever the names contain', async () => {
  const name = 'Ann\r\nBcc: thief@example.com\u2028X';
  await server.db.updateTable('deals').set({ customer_name: name }).where('id', '=', dealId).execute();
  await server.db
    .updateTable('users')
    .set({ name: 'Kim\nTo: x@y.example' })
    .where('id', '=', kim.id)
    .execute();
  await add(kim, '@Bob Burr', bob);
  const [received] = await sent();
  expect(received!.envelope.to).toEqual([bob.email]);
  const { subject, headers } = await readMail(received!);
  expect(subject).toBe('Kim To: x@y.example mentioned you in a comment on Ann Bcc: thief@example.com X');
  expect(headers.map(({ key }) => key)).not.toContain('bcc');
});

describe('is not sent', () => {
  test('mail about a mention is not sent to somebody who has read the comment, or turned the mail off', async () => {
    const { _id } = await add(kim, '@Bob Burr @Ada Admin', bob, ada);
    await read(bob, _id);
    await turn(ada, false);
    expect(await recipients()).toEqual([]);
    expect(await notificationsOf(ada)).toContain('commentMention by Kim Novak');
    await turn(ada, true);
  });

  test('mail about a mention is not sent to a user who is inactive or no longer sees the row when it leaves', async () => {
    const eve = await server.person({ name: 'Eve Adams' });
    await add(kim, '@Bob Burr @Eve Adams', bob, eve);
    await restrict(bob, { restrictedRows: [dealId] });
    await setActive(eve, false);
    expect(await recipients()).toEqual([]);
  });

  test('mail about a mention is not sent to a user who did not see the row when they were mentioned', async () => {
    await restrict(bob, { restrictedRows: [dealId] });
    await add(kim, '@Bob Burr', bob);
    expect(await unfinished()).toEqual([]);
  });

  test('the job of a mention sends nothing for a deleted comment, a deleted row or a removed mention', async () => {
    const { _id } = await add(kim, '@Bob Burr', bob);
    await server.call(`DELETE /deals/${dealId}/comments/${_id}`, { token: kim.token });
    expect(await recipients()).toEqual([]);
    const other = await add(kim, '@Bob Burr', bob);
    await patch(kim, other._id, { body: 'Nobody', mentions: [], version: 1 });
    expect(await recipients()).toEqual([]);
    await add(kim, '@Bob Burr', bob);
    await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
    expect(await recipients()).toEqual([]);
  });

  test('mail about a mention is not sent of a comment that was rolled back', async () => {
    await sql`
      create function fail_comment() returns trigger language plpgsql as $$ begin
        if new.body like 'Fails%' then raise exception 'fails at the commit'; end if;
        return null;
      end $$`.execute(server.db);
    await sql`
      create constraint trigger fail_comment after insert on deal_comments
      deferrable initially deferred for each row execute function fail_comment()`.execute(server.db);
    try {
      expect(await post(kim, { body: 'Fails @Bob Burr', mentions: [bob.id] })).toMatchObject({ status: 500 });
    } finally {
      await sql`drop function fail_comment() cascade`.execute(server.db);
    }
    expect(await unfinished()).toEqual([]);
  });

  test('again by a repeated request with the same key', async () => {
    const headers = { 'idempotency-key': newId() };
    const body = { body: '@Bob Burr', mentions: [bob.id] };
    await post(kim, body, headers);
    await post(kim, body, headers);
    expect(await recipients()).toEqual([bob.email]);
  });

  test('again by a restore of a backup with an unread mention', async () => {
    const asAda = (route: string, body?: object) => server.call(route, { token: ada.token, body });
    const { _id } = await add(kim, '@Bob Burr', bob);
    const { name, jobId } = (await asAda('POST /backups')).body;
    await expect.poll(async () => (await asAda(`GET /jobs/${jobId}`)).body.status).toBe('succeeded');
    expect(await recipients()).toEqual([bob.email]);
    await read(bob, _id);
    expect(await asAda(`POST /backups/${name}/restore`, {})).toMatchObject({ status: 200 });
    expect(await recipients()).toEqual([]);
    // The restore has ended all other sessions.
    const stored = server.db.selectFrom('notifications').where('user_id', '=', bob.id);
    expect(await stored.select('read_at').execute()).toEqual([{ read_at: null }]);
  });
});

test('of many mentions in one row a user gets the first one until they read it', async () => {
  await add(kim, 'One @Bob Burr', bob);
  await add(ada, 'Two @Bob Burr', bob);
  await Promise.all([3, 4, 5, 6, 7, 8].map((n) => add(kim, `${n} @Bob Burr`, bob)));
  expect(await recipients()).toEqual([bob.email]);
  const { _id } = await add(ada, 'Ten @Bob Burr', bob);
  expect(await recipients()).toEqual([]);
  await read(bob, _id);
  await add(ada, 'Eleven @Bob Burr', bob);
  const [received, ...others] = await sent();
  expect(others).toEqual([]);
  expect((await readMail(received!)).text).toContain('> Eleven');
});

test('a mention that a change adds is mailed, and a change without a new one is not', async () => {
  const { _id } = await add(kim, 'Hello @Bob Burr', bob);
  await sent();
  await patch(kim, _id, { body: 'Hello @Bob Burr @Ada Admin', mentions: [bob.id, ada.id], version: 1 });
  expect(await recipients()).toEqual([ada.email]);
  await read(bob, _id);
  await patch(kim, _id, { body: 'Bye @Bob Burr @Ada Admin', mentions: [bob.id, ada.id], version: 2 });
  expect(await unfinished()).toEqual([]);
});

describe('a mail server that refuses it', () => {
  const failures = async () =>
    (await server.call('GET /jobs', { token: ada.token })).body.failed
      .filter(({ queue }: { queue: string }) => queue === 'mention-mail')
      .map(({ message }: { message: string }) => message);

  test('a mail server that refuses mail about a mention for now gets it again with the same Message-ID, also when its response was lost', async () => {
    mail.next({ code: 451, text: 'Not now' }, 'drop');
    await add(kim, '@Bob Burr', bob);
    await add(kim, 'Again @Bob Burr', bob);
    const received = await sent();
    expect(received).toHaveLength(3);
    expect(new Set(messageIds(received)).size).toBe(1);
    const texts = await Promise.all(received.map(async (each) => (await readMail(each)).text));
    expect(new Set(texts).size).toBe(1);
  });

  test('a mail server that refuses mail about a mention permanently is listed in Background Work, and a later mention is mailed', async () => {
    mail.next({ code: 550, text: 'No such mailbox' });
    await add(kim, 'One @Bob Burr', bob);
    await sent();
    await expect.poll(failures).toEqual([expect.stringContaining('No such mailbox')]);
    await add(kim, 'Two @Bob Burr', bob);
    expect((await readMail((await sent())[0]!)).text).toContain('> Two');
  });
});

test('without a mail server there is the notification alone', async () => {
  const without = await testApp();
  const [author, reader] = [await without.person({ role: 'admin' }), await without.person()];
  const deal = await addDeal(without, author, await addDealership(without, author));
  const body = { body: '@Reader', mentions: [reader.id] };
  const reply = await without.call(`POST /deals/${deal._id}/comments`, { token: author.token, body });
  expect(reply).toMatchObject({ status: 201 });
  expect((await without.call('GET /notifications', { token: reader.token })).body.unread).toBe(1);
  expect(await unfinished(without)).toEqual([]);
  await without.close();
});

test('in a demo it arrives at the server of the demo, also with SMTP_URL', async () => {
  const account = { host: '127.0.0.1', port: mail.port, user: 'demo', password: 'right' };
  const demoMail = { account, messages: () => [], close: async () => {} };
  const demo = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9?from=desk@shine.example' }, { demoMail });
  const [author, reader] = [await demo.person({ role: 'admin' }), await demo.person()];
  const deal = await addDeal(demo, author, await addDealership(demo, author));
  const body = { body: '@Reader', mentions: [reader.id] };
  await demo.call(`POST /deals/${deal._id}/comments`, { token: author.token, body });
  const envelopes = (await sent(demo)).map(({ envelope }) => envelope);
  expect(envelopes).toEqual([{ from: 'forecourt@demo.example', to: [reader.email] }]);
  await demo.close();
});
