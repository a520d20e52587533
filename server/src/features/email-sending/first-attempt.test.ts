import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { deafNotices } from '../../../test/deaf-notices.ts';
import { openMailServer } from '../../../test/smtp.ts';
import { createClock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config.ts';
import type { Context } from '../../platform/http/context.ts';
import { startJobs } from '../../platform/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { readRecord } from '../../platform/viewers.ts';
import { createDealershipsService } from '../dealerships/dealerships.service.ts';
import { createDealsService } from '../deals/deals.service.ts';
import { createEmailSettingsService } from '../email-settings/email-settings.service.ts';
import { createEmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createSettingsService } from '../settings/settings.service.ts';
import { secrets } from './delivery.fixture.ts';
import { createEmailSendingService } from './email-sending.service.ts';
import { configure, contacts, countEmails, refused } from './office.fixture.ts';

// The product waits 9 s; the same service with a shorter patience shows the same in no time.
test('a server that never answers holds up nobody: the call comes back while the attempt goes on', async () => {
  const [server, mail] = await Promise.all([testApp(), openMailServer()]);
  const log = createLog('silent');
  const jobs = await startJobs(server.connection, log);
  const config = readConfig({});
  const clock = createClock(config.TIME_ZONE);
  const templates = createEmailTemplatesService();
  const dealerships = createDealershipsService(templates);
  const deals = createDealsService({
    dealerships,
    settings: createSettingsService({ notices: deafNotices }),
    clock,
  });
  const settings = createEmailSettingsService({ secrets, config });
  const sending = createEmailSendingService({
    templates,
    settings,
    dealerships,
    deals,
    jobs,
    config,
    clock,
    inlineMs: 50,
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
      viewer: { ...viewer, lastLogin: null, permissions: readRecord(undefined) },
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

test('without time to call back, the answer says how it ended; the hourly limit counts', async () => {
  const mail = await openMailServer();
  const quick = await testApp({ UNDO_SEND_SECONDS: 0, MAIL_PER_HOUR: 3 });
  try {
    const boss = await quick.person({ role: 'admin', name: 'Quick Boss' });
    await configure(quick, boss, boss, mail.port);
    const id = await addTemplate(quick, boss, { name: 'Daily' });
    const place = await addDealership(quick, boss, { defaultEmailTemplateId: id, contacts });
    const about = await addDeal(quick, boss, place);
    const go = () =>
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
    expect(await go()).toMatchObject({
      status: 202,
      body: { status: 'sent', answer: expect.stringMatching(/^250/) },
    });
    mail.next({ code: 451, words: 'later' });
    expect(await go()).toMatchObject({
      status: 202,
      body: { status: 'retrying', answer: expect.stringContaining('later') },
    });
    mail.next({ code: 550, words: 'never' });
    expect(await go()).toMatchObject(refused(/550.*never/));
    expect(await go()).toMatchObject({ status: 429, headers: { 'retry-after': '600' } });
    expect(await countEmails(quick)).toBe(3);
    // Each person has a limit of their own.
    const colleague = await quick.person({ role: 'admin', name: 'Quiet Colleague' });
    await configure(quick, boss, colleague, mail.port);
    const body = { dealId: about._id, again: true };
    expect(
      (await quick.call(`POST /email-templates/${id}/send`, { token: colleague.token, body })).status,
    ).toBe(202);
  } finally {
    await quick.close();
    await mail.close();
  }
});

test('what nobody calls back goes out when its time has come', async () => {
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
    await expect.poll(read, { timeout: 10_000, interval: 100 }).toBe('sent');
    expect(await newestAudit(short, body._id)).toMatchObject({
      action: 'email.updated',
      after: { status: 'sent' },
    });
  } finally {
    await short.close();
    await mail.close();
  }
});
