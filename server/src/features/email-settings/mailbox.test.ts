import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person, type TestApp } from '../../../test/app.ts';
import { newestAudit } from '../../../test/builders.ts';
import { openMailProvider, type TestProvider } from '../../../test/mail-provider.ts';
import { openMailServer, type MailServer } from '../../../test/smtp.ts';
import { SYSTEM } from '../../platform/audit.ts';
import { readConfig } from '../../platform/config.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createEmailSettingsService } from './email-settings.service.ts';
import { registeredProviders } from './mail-providers.ts';

const ADDRESS = 'kim@shine.example';

let server: TestApp;
let mail: MailServer;
let microsoft: TestProvider;
let kim: Person;
let other: Person;
beforeAll(async () => {
  mail = await openMailServer({
    takesToken: (user, token) => user === ADDRESS && microsoft.holds(token),
  });
  microsoft = await openMailProvider({ smtpPort: mail.port });
  server = await testApp({}, { mailProviders: { microsoft: microsoft.provider } });
  other = await server.person();
});
afterAll(async () => {
  await server.close();
  await mail.close();
  await microsoft.close();
});
beforeEach(async () => {
  microsoft.breakDown(false);
  kim = await server.person();
});

const call = (route: string, body?: object, person = kim) =>
  server.call(route, { token: person.token, ...(body && { body }) });
const connect = (address = ADDRESS) =>
  call('POST /email-settings/mailbox/connect', { provider: 'microsoft', address });
const finish = (back: object, person = kim) => call('POST /email-settings/mailbox/finish', back, person);
const mailbox = async () => (await call('GET /email-settings/mailbox')).body;

/** Runs the whole flow: consent requested, granted, and returned. */
async function connected(address = ADDRESS) {
  return finish(await microsoft.consent((await connect(address)).body.url));
}

describe('connecting a mailbox', () => {
  test('connecting a mailbox requires a session, and a provider that the installation is registered with', async () => {
    expect((await server.call('GET /email-settings/mailbox')).status).toBe(401);
    expect(await mailbox()).toEqual({ providers: ['microsoft'], connected: null, problem: null });
    const wrong = { provider: 'google', address: ADDRESS };
    expect((await call('POST /email-settings/mailbox/connect', wrong)).status).toBe(404);
    expect((await connect('no address')).body.errors).toHaveProperty('address');
  });

  test('connecting a mailbox requests consent with a proof key, and stores a refresh token', async () => {
    const { body } = await connect();
    const parameters = new URL(body.url).searchParams;
    expect(parameters.get('redirect_uri')).toBe('http://localhost:3000/settings/general');
    expect(parameters.get('login_hint')).toBe(ADDRESS);
    const { status, body: kept } = await finish(await microsoft.consent(body.url));
    expect(status).toBe(200);
    expect(kept.connected).toEqual({ provider: 'microsoft', address: ADDRESS });
    const { body: settings } = await call('GET /email-settings');
    expect(settings).toMatchObject({ provider: 'microsoft', isConfigured: true, smtpFromEmail: ADDRESS });
    const row = await server.db
      .selectFrom('email_settings')
      .where('user_id', '=', kim.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row.refresh_token).toMatch(/^v1\./);
    expect(row.smtp_password).toBeNull();
    expect(await newestAudit(server, kim.id)).toMatchObject({
      action: 'email-settings.created',
      after: { provider: 'microsoft', smtpUser: ADDRESS },
    });
  });

  test('connecting a mailbox can be started ten times in ten minutes by each person', async () => {
    for (let times = 0; times < 10; times += 1) expect((await connect()).status).toBe(200);
    expect(await connect()).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    const asOther = { provider: 'microsoft', address: ADDRESS };
    expect((await call('POST /email-settings/mailbox/connect', asOther, other)).status).toBe(200);
  });

  test('connecting a mailbox works once, for the user who started it', async () => {
    const back = await microsoft.consent((await connect()).body.url);
    expect((await finish(back, other)).body.code).toBe('LINK_INVALID');
    expect((await finish(back)).status).toBe(200);
    expect((await finish(back)).body.code).toBe('LINK_INVALID');
    expect((await finish({ ...back, state: 'made-up' })).body.code).toBe('LINK_INVALID');
  });

  test('connecting a mailbox stores nothing for a rejected address, or while the provider is unavailable', async () => {
    expect(await connected('somebody@else.example')).toMatchObject({
      status: 400,
      body: { code: 'MAIL_SERVER_REFUSED', errors: { step: 'signIn' } },
    });
    const { body } = await connect();
    const back = await microsoft.consent(body.url);
    microsoft.breakDown(true);
    expect(await finish(back)).toMatchObject({
      status: 400,
      body: { details: 'Microsoft 365 did not give access to the mailbox. Please try again.' },
    });
    expect((await mailbox()).connected).toBeNull();
  });

  test('connecting a mailbox names what an administrator does about a refusal of Microsoft, at the consent and for tokens', async () => {
    const { body } = await connect();
    const state = new URL(body.url).searchParams.get('state')!;
    const error = 'access_denied AADSTS90094: Admin consent is required.';
    const noConsent = await finish({ state, error });
    expect(noConsent.body.details).toContain('Grant admin consent. (AADSTS90094)');
    expect((await finish({ state, error })).body.code, 'used up').toBe('LINK_INVALID');
    const description = 'AADSTS7000222: The provided client secret keys are expired. Trace ID: 1';
    microsoft.refuse({ error: 'invalid_client', description });
    expect((await connected()).body.details).toContain('sets OAUTH_MICROSOFT_SECRET');
    microsoft.refuse({ error: 'invalid_client', description: 'AADSTS999: unknown' });
    expect((await connected()).body.details).toContain('refused the registration of Forecourt');
    microsoft.refuse({ error: 'invalid_grant', description: 'AADSTS50194: not multi-tenant.' });
    expect((await connected()).body.details).toContain('OAUTH_MICROSOFT_TENANT');
  });

  test('a connected mailbox is tested by an administrator without a password, as long as nothing else is typed', async () => {
    await connected();
    const admin = await server.person({ role: 'admin' });
    const path = `POST /email-settings/user/${kim.id}/verify`;
    const body = {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecure: false,
      smtpUser: ADDRESS,
      smtpFromEmail: ADDRESS,
    };
    expect((await call(path, body, admin)).status).toBe(200);
    expect(await newestAudit(server, kim.id)).toMatchObject({ action: 'email-settings.verified' });
    expect((await call(path, { ...body, smtpPort: 1 }, admin)).body.errors).toHaveProperty('smtpPassword');
    microsoft.withdraw();
    expect((await call(path, body, admin)).body).toMatchObject({
      code: 'MAIL_SERVER_REFUSED',
      errors: { step: 'signIn' },
    });
  });

  test('a connected mailbox is disconnected by its owner, and replaced by an administrator who enters a password', async () => {
    await connected();
    expect((await call('DELETE /email-settings/mailbox')).status).toBe(204);
    expect((await call('DELETE /email-settings/mailbox')).status).toBe(404);
    await connected();
    const admin = await server.person({ role: 'admin' });
    const body = {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecure: false,
      smtpUser: ADDRESS,
      smtpFromEmail: ADDRESS,
    };
    const path = `PUT /email-settings/user/${kim.id}`;
    expect((await call(path, body, admin)).body.errors).toHaveProperty('smtpPassword');
    expect((await call(path, { ...body, smtpPassword: 'typed' }, admin)).body).toMatchObject({
      provider: null,
      isConfigured: true,
    });
    expect((await mailbox()).connected).toBeNull();
  });
});

describe('sending from a connected mailbox', () => {
  const config = readConfig({});
  /** Returns a function that reads the sender on an instance of its own. */
  const instance = () => {
    const providers = { microsoft: microsoft.provider };
    const settings = createEmailSettingsService({ secrets: createSecrets(TEST_KEY), config, providers });
    return async () => (await settings.senderAccount(server.db, kim.id))!;
  };
  const open = () => {
    const sender = instance();
    return async () => (await sender()).open();
  };
  const message = {
    messageId: '<1@shine.example>',
    date: new Date(),
    from: { name: 'Kim', address: ADDRESS },
    to: ['tess@harbour.example'],
    cc: [],
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
  };

  test('sending from a connected mailbox signs in with a token that is cached until its expiry, also after rotation by the provider', async () => {
    await connected();
    const account = open();
    const transports = createTransports(createOutbound(config));
    const given = microsoft.tokensGiven();
    try {
      for (let count = 1; count <= 2; count += 1) {
        const response = await transports.send(
          kim.id,
          await account(),
          message,
          new AbortController().signal,
        );
        expect(response).toMatch(/^250/);
      }
    } finally {
      transports.close();
    }
    expect(microsoft.tokensGiven()).toBe(given + 1);
    // Another instance: the refresh token of the first is used up, and the rotated one was stored.
    const elsewhere = open();
    expect(await elsewhere()).toMatchObject({ user: ADDRESS, accessToken: expect.any(String) });
  });

  test('sending from a connected mailbox fetches one token for messages sent at once, since the provider accepts the refresh token only once', async () => {
    await connected();
    const sender = await instance()();
    const given = microsoft.tokensGiven();
    const [first, second] = await Promise.all([sender.open(), sender.open()]);
    expect(second).toEqual(first);
    expect(microsoft.tokensGiven()).toBe(given + 1);
  });

  test('sending from a connected mailbox fetches a token with the next refresh token when another instance has used the one that was read', async () => {
    await connected();
    const [read, elsewhere] = [await instance()(), await instance()()];
    await elsewhere.open();
    expect(await read.open()).toMatchObject({ user: ADDRESS, accessToken: expect.any(String) });
  });

  test('sending from a connected mailbox fetches a token of its own for a mailbox that is connected again', async () => {
    await connected();
    const account = open();
    const former = await account();
    await call('DELETE /email-settings/mailbox');
    await connected();
    expect(await account()).not.toEqual(former);
  });

  test('sending from a connected mailbox is not paused by a rejection of the mailbox that was connected before', async () => {
    await connected();
    const settings = createEmailSettingsService({ secrets: createSecrets(TEST_KEY), config });
    const former = (await settings.senderAccount(server.db, kim.id))!;
    await call('DELETE /email-settings/mailbox');
    await connected();
    const pause = (savedAt: string) =>
      server.db.transaction().execute((tx) => settings.pause(tx, SYSTEM, kim.id, savedAt, 'Rejected.'));
    await pause(former.savedAt);
    expect((await mailbox()).problem).toBeNull();
    await pause((await settings.senderAccount(server.db, kim.id))!.savedAt);
    expect((await mailbox()).problem).toBe('Rejected.');
  });

  test('sending from a connected mailbox fails permanently with instructions once consent is withdrawn; an outage is retried', async () => {
    await connected();
    const account = open();
    microsoft.breakDown(true);
    await expect(account()).rejects.toMatchObject({ step: 'connection', isPermanent: false });
    microsoft.breakDown(false);
    microsoft.withdraw();
    await expect(account()).rejects.toMatchObject({
      step: 'signIn',
      isPermanent: true,
      message: expect.stringContaining('Connect it again'),
    });
  });
});

test('Microsoft 365 is asked in the tenant of the configuration, with the permission for its way to send', () => {
  const registration = { OAUTH_MICROSOFT_ID: 'id', OAUTH_MICROSOFT_SECRET: 'secret' };
  expect(registeredProviders(readConfig(registration)).microsoft).toMatchObject({
    authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    scope: expect.stringContaining('SMTP.Send'),
    server: { host: 'smtp.office365.com' },
  });
  const changed = { OAUTH_MICROSOFT_TENANT: 'shine.example', OAUTH_MICROSOFT_SEND: 'graph' };
  expect(registeredProviders(readConfig({ ...registration, ...changed })).microsoft).toMatchObject({
    authorizationUrl: 'https://login.microsoftonline.com/shine.example/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/shine.example/oauth2/v2.0/token',
    scope: expect.stringContaining('https://graph.microsoft.com/Mail.Send'),
    graph: 'https://graph.microsoft.com/v1.0',
  });
  expect(() => readConfig({ OAUTH_MICROSOFT_TENANT: 'a/../b' })).toThrow('OAUTH_MICROSOFT_TENANT must');
  expect(() => readConfig({ OAUTH_MICROSOFT_SEND: 'imap' })).toThrow('must be smtp or graph');
});
