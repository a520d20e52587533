import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { silentEventBus } from '../../../test/silent-event-bus.ts';
import { openMailServer } from '../../../test/smtp.ts';
import { createClock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import type { Context } from '../../platform/http/context.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createProgress } from '../../platform/jobs/progress.ts';
import { createLog } from '../../platform/log.ts';
import { readPermissions } from '../../platform/viewers.ts';
import { createCustomFieldsService } from '../custom-fields/custom-fields.service.ts';
import { createDealershipsService } from '../dealerships/dealerships.service.ts';
import { createDealsService } from '../deals/deals.service.ts';
import { createDoNotContactService } from '../do-not-contact/do-not-contact.service.ts';
import { createEmailSettingsService } from '../email-settings/email-settings.service.ts';
import { createEmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createStatementFiles } from '../months/statement-files.service.ts';
import { createStatementsService } from '../months/statements.service.ts';
import { createSettingsService } from '../settings/settings.service.ts';
import { secrets } from './delivery.fixture.ts';
import { createEmailSendingService } from './email-sending.service.ts';
import { configure, contacts, countEmails, refused } from './office.fixture.ts';

// The product waits 9 s; the same service with a shorter limit behaves alike in less time.
test('a request returns while the attempt at an unresponsive server continues', async () => {
  const [server, mail] = await Promise.all([testApp(), openMailServer()]);
  const log = createLog('silent');
  const jobs = await startJobs(server.connection, log);
  const config = readConfig({});
  const clock = createClock(config.TIME_ZONE);
  const files = createFileStore(server.dataDir);
  const templates = createEmailTemplatesService(files);
  const dealerships = createDealershipsService(templates);
  const deals = createDealsService({
    dealerships,
    settings: createSettingsService({ eventBus: silentEventBus }),
    customFields: createCustomFieldsService({ eventBus: silentEventBus }),
    clock,
    mentionMail: { enqueue: async () => {} },
    files,
    config,
  });
  const settings = createEmailSettingsService({ secrets, config });
  const statements = createStatementsService({ deals });
  const sending = createEmailSendingService({
    templates,
    settings,
    dealerships,
    deals,
    doNotContact: createDoNotContactService(deals.exports),
    statements,
    statementFiles: createStatementFiles({ statements, clock }),
    progress: createProgress({ db: server.db, eventBus: silentEventBus, log }),
    files,
    jobs,
    config,
    clock,
    inlineMs: 3000,
  });
  const delivery = await sending.startDelivery({
    db: server.db,
    log,
    events: { announce: () => {} },
    times: { stopMs: 50 },
  });
  try {
    const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
    const viewer = {
      ...admin,
      userId: admin.id,
      sessionId: '',
      role: 'admin' as const,
      forcePasswordChange: false,
      mustSetUpTwoStep: false,
    };
    const ctx: Context = {
      db: server.db,
      viewer: { ...viewer, lastLogin: null, permissions: readPermissions(undefined), customColumns: [] },
      origin: { requestId: 'test', ip: '', userAgent: '' },
      log,
      afterCommit: (task) => task(),
    };
    await settings.save(ctx, admin.id, {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecure: false,
      smtpUser: 'ada',
      smtpPassword: 'pw',
      smtpFromEmail: admin.email,
    });
    const templateId = await addTemplate(server, admin);
    const deal = await addDeal(server, admin, await addDealership(server, admin));
    mail.next('hang');
    const entry = await sending.send(ctx, { templateId, dealId: deal._id, to: [admin.email] });
    expect(entry).toMatchObject({ status: 'sending', attempts: 1 });
  } finally {
    await delivery.stop();
    await jobs.stop();
    await server.close();
    await mail.close();
  }
});

test('without an undo delay the response contains the outcome; the hourly limit applies', async () => {
  const mail = await openMailServer();
  const quick = await testApp({ UNDO_SEND_SECONDS: 0, MAIL_PER_HOUR: 3 });
  try {
    const boss = await quick.person({ role: 'admin', name: 'Quick Boss' });
    await configure(quick, boss, boss, mail.port);
    const id = await addTemplate(quick, boss, { name: 'Daily' });
    const place = await addDealership(quick, boss, { defaultEmailTemplateId: id, contacts });
    const about = await addDeal(quick, boss, place);
    const send = () =>
      quick.call(`POST /email-templates/${id}/send`, {
        token: boss.token,
        body: { dealId: about._id, again: true },
      });
    const ids = [about._id];
    for (let count = 1; count <= 3; count += 1) ids.push((await addDeal(quick, boss, place))._id);
    expect(await quick.call('POST /deals/bulk/email', { token: boss.token, body: { ids } })).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('3 are the limit: these are 4 more. Nothing was sent.') },
    });
    expect(await send()).toMatchObject({
      status: 200,
      body: { status: 'sent', answer: expect.stringMatching(/^250/) },
    });
    mail.next({ code: 451, text: 'later' });
    expect(await send()).toMatchObject({
      status: 202,
      body: { status: 'retrying', answer: expect.stringContaining('later') },
    });
    mail.next({ code: 550, text: 'never' });
    expect(await send()).toMatchObject(refused(/550.*never/));
    expect(await countEmails(quick)).toBe(3);
    // The limit has room for one message when the oldest is an hour old, and for three when the newest is.
    const ages = [40, 25, 10];
    const { rows } = await sql<{ id: string }>`select id from emails order by created_at`.execute(quick.db);
    for (const [index, { id: sentId }] of rows.entries())
      await sql`update emails set created_at = now() - make_interval(mins => ${ages[index]!})
        where id = ${sentId}`.execute(quick.db);
    const minutesLeft = ({ status, headers }: Awaited<ReturnType<typeof send>>) => [
      status,
      Math.round(Number(headers['retry-after']) / 60),
    ];
    expect(minutesLeft(await send())).toEqual([429, 20]);
    const three = { token: boss.token, body: { ids: ids.slice(1) } };
    expect(minutesLeft(await quick.call('POST /deals/bulk/email', three))).toEqual([429, 50]);
    // Each user has a separate limit.
    const colleague = await quick.person({ role: 'admin', name: 'Quiet Colleague' });
    await configure(quick, boss, colleague, mail.port);
    const body = { dealId: about._id, again: true };
    expect(
      (await quick.call(`POST /email-templates/${id}/send`, { token: colleague.token, body })).status,
    ).toBe(200);
  } finally {
    await quick.close();
    await mail.close();
  }
});

test('a cancelled message does not count towards the hourly limit', async () => {
  const mail = await openMailServer();
  const limited = await testApp({ UNDO_SEND_SECONDS: 600, MAIL_PER_HOUR: 2 });
  try {
    const boss = await limited.person({ role: 'admin', name: 'Limited Boss' });
    const { token } = boss;
    await configure(limited, boss, boss, mail.port);
    const id = await addTemplate(limited, boss, { name: 'Daily' });
    const place = await addDealership(limited, boss, { defaultEmailTemplateId: id, contacts });
    const { _id: dealId } = await addDeal(limited, boss, place);
    const send = () =>
      limited.call(`POST /email-templates/${id}/send`, { token, body: { dealId, again: true } });
    const [first] = [await send(), await send()];
    expect((await send()).status).toBe(429);
    await limited.call(`POST /email/logs/${first.body._id}/cancel`, { token });
    expect((await send()).status).toBe(202);
    expect((await send()).status).toBe(429);
  } finally {
    await limited.close();
    await mail.close();
  }
});

test('a message that is not cancelled is sent when it is due', async () => {
  const mail = await openMailServer();
  const short = await testApp({ UNDO_SEND_SECONDS: 1 });
  try {
    const boss = await short.person({ role: 'admin', name: 'Short Boss' });
    await configure(short, boss, boss, mail.port);
    const id = await addTemplate(short, boss, { name: 'Daily' });
    const place = await addDealership(short, boss, { defaultEmailTemplateId: id, contacts });
    const { body } = await short.call(`POST /email-templates/${id}/send`, {
      token: boss.token,
      body: { dealershipId: place, variables: { customer: 'Everybody' } },
    });
    expect(body.status).toBe('queued');
    const read = async () =>
      (await short.call(`GET /email/logs/${body._id}`, { token: boss.token })).body.status;
    await expect.poll(read, { interval: 100 }).toBe('sent');
    expect(await newestAudit(short, body._id)).toMatchObject({
      action: 'email.updated',
      after: { status: 'sent' },
    });
  } finally {
    await short.close();
    await mail.close();
  }
});
