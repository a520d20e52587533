import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDealership, addTemplate, changePermissions, emailValues } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
const manager = await server.person({
  permissions: {
    features: { manageTemplates: true },
    dealershipConfiguration: { viewDealerships: true },
  },
});
const clerk = await server.person();
const id = await addTemplate(server, manager, { name: 'Daily' });
const harbour = await addDealership(server, admin, { name: 'Harbour', defaultEmailTemplateId: id });
const contact = (name: string, templateName: string) => ({
  name,
  email: `${name.toLowerCase()}@dealer.example`,
  templateName,
  includeInTo: true,
  includeInCc: false,
  active: true,
});
const contacts = [contact('Sam', 'DAILY'), contact('Pat', 'Weekly'), contact('Wendy', 'daily')];
await addDealership(server, admin, { name: 'Bay', contacts });
await addDealership(server, admin, { name: 'Elsewhere' });
afterAll(() => server.close());

const usage = (token?: string, of = id) => server.call(`GET /email-templates/${of}/usage`, { token });
const countOf = async (token: string) =>
  (await server.call('GET /email-templates/usage', { token })).body.items.find(
    (item: { _id: string }) => item._id === id,
  )?.dealerships;

/** Inserts a user's email with the template, as the queue would have left it. */
async function addEmail(sender: Person, changes: object): Promise<void> {
  await server.db
    .insertInto('emails')
    .values(emailValues(sender.id, harbour, { template_id: id, ...changes }))
    .execute();
}

describe('the usage of a template', () => {
  test('the usage of a template requires a session, and access to the template', async () => {
    expect((await usage()).status).toBe(401);
    expect((await server.call('GET /email-templates/usage')).status).toBe(401);
    expect((await usage(clerk.token)).status).toBe(404);
    expect(await countOf(clerk.token)).toBeUndefined();
  });

  test('the usage of a template lists dealerships by name with the contacts that name it, ignoring case', async () => {
    expect((await usage(manager.token)).body).toMatchObject({
      dealerships: [
        { name: 'Bay', isDefault: false, contacts: ['Sam', 'Wendy'] },
        { _id: harbour, name: 'Harbour', active: true, isDefault: true, contacts: [] },
      ],
      others: 0,
    });
    expect(await countOf(manager.token)).toBe(2);
  });

  test('the usage of a template includes the number of invisible dealerships only for users who may delete it', async () => {
    const owner = await server.person({ permissions: { features: { manageTemplates: true } } });
    await server.db.updateTable('email_templates').set({ owner_id: owner.id }).where('id', '=', id).execute();
    const reader = await server.person({
      permissions: { emailTemplateConfiguration: { viewTemplates: true } },
    });
    expect((await usage(owner.token)).body).toMatchObject({ dealerships: [], others: 2 });
    expect((await usage(reader.token)).body).toMatchObject({ dealerships: [], others: 0 });
    expect(await countOf(reader.token)).toBe(0);
    const kept = await server.person({
      permissions: {
        emailTemplateConfiguration: { viewTemplates: true },
        dealershipConfiguration: { viewDealerships: true },
      },
    });
    await changePermissions(server, admin, kept, {
      dataEntry: { columnVisibility: { restrictedDealerships: [harbour] } },
    });
    expect((await usage(kept.token)).body).toMatchObject({ dealerships: [{ name: 'Bay' }], others: 0 });
    expect(await countOf(kept.token)).toBe(1);
    await server.db
      .updateTable('email_templates')
      .set({ owner_id: manager.id })
      .where('id', '=', id)
      .execute();
  });

  test('the usage of a template counts the own emails, for administrators all', async () => {
    const nothing = { sent: 0, sentIsCapped: false, lastSentAt: null, waiting: 0, waitingMerges: 0 };
    expect((await usage(manager.token)).body).toMatchObject(nothing);
    const batch_id = newId();
    await addEmail(clerk, { status: 'sent', sent_at: '2026-11-20T01:00:00.000Z' });
    await addEmail(manager, { status: 'sent', sent_at: '2026-11-19T01:00:00.000Z' });
    for (const status of ['queued', 'retrying', 'sending', 'failed', 'cancelled']) {
      await addEmail(clerk, { status, batch_id });
    }
    expect((await usage(manager.token)).body).toMatchObject({
      ...nothing,
      sent: 1,
      lastSentAt: '2026-11-19T01:00:00.000Z',
    });
    expect((await usage(admin.token)).body).toMatchObject({
      sent: 2,
      sentIsCapped: false,
      lastSentAt: '2026-11-20T01:00:00.000Z',
      waiting: 3,
      waitingMerges: 1,
    });
  });
});
