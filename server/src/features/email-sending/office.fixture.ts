import { expect } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { openMailServer } from '../../../test/smtp.ts';
import { countRows } from '../../platform/db/database.ts';

export const contact = (name: string, changes: object = {}) => ({
  name,
  email: `${name.toLowerCase()}@dealer.example`,
  templateName: 'Daily',
  includeInTo: true,
  includeInCc: false,
  active: true,
  ...changes,
});

export const contacts = [
  contact('Sam'),
  contact('Pat', { includeInTo: false, includeInCc: true }),
  contact('Gone', { active: false }),
  contact('Wendy', { templateName: 'Weekly' }),
];

/** The response to a rejected send. */
export const refused = (details: string | RegExp) => ({
  status: 400,
  body: { code: 'SEND_REFUSED', message: 'Failed to send email', details: expect.stringMatching(details) },
});

/** Configures a user's mail server on that port. */
export async function configure(server: TestApp, by: Person, person: Person, port: number): Promise<void> {
  const body = {
    smtpHost: '127.0.0.1',
    smtpPort: port,
    smtpSecure: false,
    smtpUser: 'u',
    smtpPassword: 'p',
    smtpFromEmail: person.email,
  };
  const reply = await server.call(`PUT /email-settings/user/${person.id}`, { token: by.token, body });
  expect(reply.status).toBe(200);
}

export const countEmails = ({ db }: TestApp) => db.selectFrom('emails').$call(countRows);

/** A small company: three users with mail servers, a dealership with contacts, a template and a deal. */
export async function openOffice({
  UNDO_SEND_SECONDS = 600,
  ...parts
}: { UNDO_SEND_SECONDS?: number } & Parameters<typeof testApp>[1] = {}) {
  const [server, mail] = await Promise.all([
    testApp({ COMPANY_NAME: 'Shine', UNDO_SEND_SECONDS }, parts),
    openMailServer(),
  ]);
  const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  const clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
  const other = await server.person({ name: 'Otto Other' });
  const templateId = await addTemplate(server, admin, { name: 'Daily' });
  const dealershipId = await addDealership(server, admin, { defaultEmailTemplateId: templateId, contacts });
  const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Ann <b>Example' });
  for (const person of [admin, clerk, other]) await configure(server, admin, person, mail.port);
  return {
    server,
    mail,
    admin,
    clerk,
    other,
    templateId,
    dealershipId,
    dealId: deal._id as string,
    /** Most tests repeat messages about one deal, so `again` is the default. */
    send: (body: object, { token = clerk.token, id = templateId, headers = {} } = {}) =>
      server.call(`POST /email-templates/${id}/send`, { token, body: { again: true, ...body }, headers }),
    preview: (body: object, token = clerk.token) =>
      server.call('POST /email-templates/preview', { token, body }),
    async close() {
      await server.close();
      await mail.close();
    },
  };
}
