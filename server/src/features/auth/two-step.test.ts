import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { codeOf as codeAt } from '../../../test/app-code.ts';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites } from '../../../test/block-inserts.ts';
import { keepWait, newestAudit } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';

const server = await testApp({ COMPANY_NAME: 'Shine & Shield' });
afterAll(() => server.close());

const post = (path: string, token: string | undefined, body: object) =>
  server.call(`POST /auth/${path}`, { token, body });
const login = (email: string, code?: string, password = PASSWORD) =>
  post('login', undefined, { email, password, ...(code !== undefined && { code }) });
const me = (token: string) => server.call('GET /auth/me', { token });
const state = async (token: string) => (await server.call('GET /auth/two-step', { token })).body;
const failuresOf = async (account: string) =>
  (
    await server.db
      .selectFrom('sign_in_failures')
      .where('subject', '=', `account:${account}`)
      .select('id')
      .execute()
  ).length;

/** The code of the next step: the current one was used up by the set-up. */
const codeOf = (secret: string, steps = 1) => codeAt(secret, steps);

/** A code that is valid in no accepted step. */
function wrongCodeOf(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !right.has(code))!;
}

/** Sets an app up through the API. */
async function withApp(person: Person): Promise<{ secret: string; codes: string[] }> {
  const begun = await post('two-step', person.token, { currentPassword: PASSWORD });
  expect(begun.status).toBe(201);
  const { secret } = begun.body;
  const confirmed = await post('two-step/confirm', person.token, { code: codeOf(secret, 0) });
  expect(confirmed).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } });
  return { secret, codes: confirmed.body.recoveryCodes };
}

const require = (person: Person) =>
  server.db.updateTable('users').set({ two_step_required: true }).where('id', '=', person.id).execute();

describe('setting up', () => {
  test('setting up two-step sign-in requires the current password; a wrong one is a 400 and counts for the session', async () => {
    const kim = await server.person();
    const reply = await post('two-step', kim.token, { currentPassword: 'not it' });
    expect(reply).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
    const session = await server.db
      .selectFrom('sessions')
      .where('user_id', '=', kim.id)
      .select('id')
      .executeTakeFirstOrThrow();
    expect([await failuresOf(`session:${session.id}`), await failuresOf(kim.email)]).toEqual([1, 0]);
  });

  test('setting up two-step sign-in changes nothing before a first code, and a wrong one is a 400', async () => {
    const kim = await server.person();
    const { body } = await post('two-step', kim.token, { currentPassword: PASSWORD });
    expect(new URL(body.uri).searchParams.get('secret')).toBe(body.secret);
    expect(await state(kim.token)).toEqual({ on: false, required: false, recoveryCodesLeft: 0 });
    const reply = await post('two-step/confirm', kim.token, { code: wrongCodeOf(body.secret) });
    expect(reply).toMatchObject({ status: 400, body: { errors: { code: expect.any(String) } } });
    expect((await login(kim.email)).status).toBe(200);
  });

  test('setting up two-step sign-in explains the code of a set-up that was begun again elsewhere', async () => {
    const kim = await server.person();
    const first = await post('two-step', kim.token, { currentPassword: PASSWORD });
    const second = await post('two-step', kim.token, { currentPassword: PASSWORD });
    const reply = await post('two-step/confirm', kim.token, { code: codeOf(first.body.secret, 0) });
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: { code: expect.stringContaining('elsewhere') } },
    });
    const code = codeOf(second.body.secret, 0);
    expect((await post('two-step/confirm', kim.token, { code })).status).toBe(200);
  });

  test('setting up two-step sign-in ends other sessions, returns ten recovery codes once, and is audited without secrets', async () => {
    const kim = await server.person();
    const elsewhere = (await login(kim.email)).body.token;
    const { secret, codes } = await withApp(kim);
    expect(new Set(codes).size).toBe(10);
    expect(await state(kim.token)).toEqual({ on: true, required: false, recoveryCodesLeft: 10 });
    expect((await me(elsewhere)).status).toBe(401);
    expect((await me(kim.token)).status).toBe(200);
    expect(await newestAudit(server, kim.id)).toMatchObject({ actor_id: kim.id, after: { twoStep: 'on' } });
    const tables = ['audit_entries', 'two_step', 'recovery_codes', 'idempotency_keys'] as const;
    for (const table of tables) {
      const kept = JSON.stringify(await server.db.selectFrom(table).selectAll().execute());
      for (const text of [secret, codes[0]!, codes[0]!.replaceAll('-', '')]) expect(kept).not.toContain(text);
    }
  });

  test('setting up two-step sign-in is rejected while it is on', async () => {
    const kim = await server.person();
    const { secret } = await withApp(kim);
    expect((await post('two-step', kim.token, { currentPassword: PASSWORD })).status).toBe(409);
    const again = await post('two-step/confirm', kim.token, { code: codeOf(secret) });
    expect(again).toMatchObject({ status: 409, body: { message: 'Two-step sign-in is on already.' } });
    expect((await login(kim.email, codeOf(secret))).status).toBe(200);
  });
});

describe('signing in', () => {
  test('signing in with two steps requests a code only after the right password, without counting an attempt', async () => {
    const kim = await server.person();
    await withApp(kim);
    expect((await login(kim.email, undefined, 'wrong')).body.code).toBe('SIGN_IN_FAILED');
    expect((await login(kim.email, '123456', 'wrong')).body.code).toBe('SIGN_IN_FAILED');
    expect(await failuresOf(kim.email)).toBe(2);
    for (const code of [undefined, '', ' - ']) {
      expect(await login(kim.email, code)).toMatchObject({
        status: 401,
        body: { code: 'TWO_STEP_REQUIRED' },
      });
    }
    expect(await failuresOf(kim.email)).toBe(2);
  });

  test('signing in with two steps succeeds with the code of the app, typed with a space', async () => {
    const kim = await server.person();
    const { secret } = await withApp(kim);
    const code = codeOf(secret);
    const reply = await login(kim.email, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(reply.status).toBe(200);
    expect((await me(reply.body.token)).status).toBe(200);
  });

  test('signing in with two steps accepts each code of the app once, and none older than a used one', async () => {
    const kim = await server.person();
    const { secret } = await withApp(kim);
    // At a fixed time: a step that begins meanwhile would make the next code valid.
    const [next, ...older] = [1, 0, -1].map((steps) => codeOf(secret, steps));
    const replies = await Promise.all([login(kim.email, next), login(kim.email, next)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
    for (const code of [next, ...older]) {
      expect((await login(kim.email, code)).body.code).toBe('TWO_STEP_FAILED');
    }
  });

  test('signing in with two steps with a wrong code fails, counts as a failure of the account and is audited', async () => {
    const kim = await server.person();
    const { secret } = await withApp(kim);
    const reply = await login(kim.email, wrongCodeOf(secret));
    expect(reply).toMatchObject({ status: 401, body: { code: 'TWO_STEP_FAILED' } });
    expect(await failuresOf(kim.email)).toBe(1);
    const entry = await server.db
      .selectFrom('audit_entries')
      .where('action', '=', 'session.refused')
      .orderBy('id', 'desc')
      .select('after')
      .executeTakeFirst();
    expect(entry?.after).toEqual({ email: kim.email, secondStep: 'wrong' });
    for (let attempt = 1; attempt <= 4; attempt += 1) await login(kim.email, wrongCodeOf(secret));
    await keepWait(server, kim.email);
    expect((await login(kim.email, codeOf(secret))).status).toBe(429);
  });

  test('signing in with two steps accepts each recovery code once, with or without dashes, also for concurrent requests', async () => {
    const kim = await server.person();
    const { codes } = await withApp(kim);
    const [first, second] = codes as [string, string];
    const replies = await Promise.all([login(kim.email, first), login(kim.email, first)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect((await login(kim.email, second.replaceAll('-', ' ').toUpperCase())).status).toBe(200);
    expect((await login(kim.email, second)).body.code).toBe('TWO_STEP_FAILED');
    expect((await state(kim.token)).recoveryCodesLeft).toBe(8);
  });

  test('signing in with two steps rejects the recovery code of another user', async () => {
    const [kim, sam] = [await server.person(), await server.person()];
    const { codes } = await withApp(kim);
    await withApp(sam);
    expect((await login(sam.email, codes[0])).status).toBe(401);
    expect((await login(kim.email, codes[0])).status).toBe(200);
  });

  test('signing in with two steps accepts recovery codes when the secret was sealed with another key', async () => {
    const kim = await server.person();
    const { secret, codes } = await withApp(kim);
    await server.db
      .updateTable('two_step')
      .set({ secret: 'v1.otherkey.AAAA.AAAA.AAAA' })
      .where('user_id', '=', kim.id)
      .execute();
    expect((await login(kim.email, codeOf(secret))).body.code).toBe('TWO_STEP_FAILED');
    expect((await login(kim.email, codes[0])).status).toBe(200);
  });
});

describe('afterwards', () => {
  test('new recovery codes require the password and end the old ones', async () => {
    const kim = await server.person();
    const { codes } = await withApp(kim);
    expect((await post('two-step/recovery-codes', kim.token, { currentPassword: 'no' })).status).toBe(400);
    const reply = await post('two-step/recovery-codes', kim.token, { currentPassword: PASSWORD });
    expect(reply.body.recoveryCodes).toHaveLength(10);
    expect((await login(kim.email, codes[0])).status).toBe(401);
    expect((await login(kim.email, reply.body.recoveryCodes[0])).status).toBe(200);
    expect(await newestAudit(server, kim.id)).toMatchObject({ after: { twoStep: 'new recovery codes' } });
  });

  test('new recovery codes requested twice at once end those of the other request', async () => {
    const kim = await server.person();
    await withApp(kim);
    const renew = () => post('two-step/recovery-codes', kim.token, { currentPassword: PASSWORD });
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
      return rows.length;
    };
    const inserted = sql`insert on recovery_codes for each statement`;
    const replies = await blockWrites(server.db, 'hold_codes', inserted, async (untilBlocked) => {
      const first = renew();
      await untilBlocked();
      const second = renew();
      await expect.poll(waiting).toBe(2);
      return [first, second];
    });
    for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
    expect((await state(kim.token)).recoveryCodesLeft).toBe(10);
  });

  test('two-step sign-in rejects new recovery codes while it is off', async () => {
    const kim = await server.person();
    expect((await post('two-step/recovery-codes', kim.token, { currentPassword: PASSWORD })).status).toBe(
      409,
    );
  });

  test('turning it off requires the password, is audited, and sign-in requests no code any more', async () => {
    const kim = await server.person();
    await withApp(kim);
    expect((await post('two-step/turn-off', kim.token, { currentPassword: 'no' })).status).toBe(400);
    expect((await post('two-step/turn-off', kim.token, { currentPassword: PASSWORD })).status).toBe(204);
    expect(await state(kim.token)).toEqual({ on: false, required: false, recoveryCodesLeft: 0 });
    expect((await login(kim.email)).status).toBe(200);
    expect(await newestAudit(server, kim.id)).toMatchObject({ after: { twoStep: 'off' } });
  });

  test('two-step sign-in rejects turning it off while an administrator requires it', async () => {
    const kim = await server.person();
    await withApp(kim);
    await require(kim);
    const reply = await post('two-step/turn-off', kim.token, { currentPassword: PASSWORD });
    expect(reply).toMatchObject({ status: 403, body: { message: expect.stringContaining('requires') } });
    expect(await state(kim.token)).toMatchObject({ on: true, required: true });
  });
});

test('a user who must set it up can do nothing else, and everything at once afterwards', async () => {
  const kim = await server.person({ role: 'admin' });
  await require(kim);
  const deals = () => server.call('GET /dealerships', { token: kim.token });
  expect(await deals()).toMatchObject({ status: 403, body: { code: 'TWO_STEP_SETUP_REQUIRED' } });
  expect((await me(kim.token)).body.data.user.mustSetUpTwoStep).toBe(true);
  for (const path of ['two-step/recovery-codes', 'two-step/turn-off']) {
    expect((await post(path, kim.token, { currentPassword: PASSWORD })).body.code).toBe(
      'TWO_STEP_SETUP_REQUIRED',
    );
  }
  await withApp(kim);
  expect((await deals()).status).toBe(200);
  expect((await me(kim.token)).body.data.user.mustSetUpTwoStep).toBe(false);
});
