import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDeal, addDealership, addManyDeals, addTemplate } from '@forecourt/server/test/builders';
import {
  addPerson,
  inDatabaseOf,
  PASSWORD,
  type Account,
  type NewPerson,
} from '@forecourt/server/test/people';
import { callServer, startServer, type ServerProcess } from '@forecourt/server/test/process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, type OpenPage } from '../browser.ts';

export { PASSWORD };

export const DESKTOP = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 } };

/** Somebody with a session. */
export type Person = Account & { token: string };

export type Company = {
  readonly server: ServerProcess;
  /** For `inDatabaseOf`. */
  readonly dataDir: string;
  /** An administrator with a mail server of their own, which nothing answers at. */
  readonly admin: Person;
  readonly templateId: string;
  readonly dealershipId: string;
  /** As the call answered them: of Ann, Bob and Cid, all the administrator's. */
  readonly deals: readonly Deal[];
  /** Somebody else, signed in by the real call. */
  addPerson(person: NewPerson): Promise<Person>;
  /** Makes many deals of the present month: Ann, Bob and Cid are newer, and then comes 'Row 000001'. */
  addMany(count: number): Promise<void>;
  /** Calls `'METHOD /path'` below /api, as the administrator unless told otherwise. */
  call(route: string, call?: { token?: string; body?: unknown }): ReturnType<typeof callServer>;
  /** Who did what to a record, oldest first. */
  auditOf(recordId: string): Promise<{ action: string; by: string | null }[]>;
  /** A page in a browser of its own in which this person is signed in already. It shows nothing yet. */
  openAs(
    browser: Browser,
    person: { token: string },
    options?: BrowserContextOptions,
    expected?: readonly RegExp[],
  ): Promise<OpenPage>;
  close(): Promise<void>;
};

/**
 * What a person may do is told five times a minute. A test opens more pages than that; those get it by their live
 * connection.
 */
export const TOO_OFTEN = /status of 429/;

type Deal = { _id: string; customerName: string; version: number };

const contacts = [
  { name: 'Tess To', email: 'tess@harbour.example', includeInTo: true, includeInCc: false },
  { name: 'Cam Copy', email: 'cam@harbour.example', includeInTo: false, includeInCc: true },
];

/** A server of its own with a template, a dealership and three deals. Emails wait: nothing leaves within a test. */
export async function startCompany(environment: Record<string, string> = {}): Promise<Company> {
  const dataDir = await mkdtemp(join(tmpdir(), 'company-'));
  const server = await startServer(dataDir, {
    COMPANY_NAME: 'Shine & Shield',
    UNDO_SEND_SECONDS: '600',
    ...environment,
  });
  const close = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const newPerson = async (person: NewPerson): Promise<Person> => {
    const account = await addPerson(dataDir, person);
    const body = { email: account.email, password: PASSWORD };
    const answer = await callServer(server.url, 'POST /auth/login', undefined, body);
    return { ...account, token: answer.body.token };
  };

  try {
    const admin = await newPerson({ name: 'Ada Admin', role: 'admin' });
    const call: Company['call'] = (route, { token = admin.token, body } = {}) =>
      callServer(server.url, route, token, body);
    await call('PUT /email-settings', { body: mailServer });
    const templateId = await addTemplate({ call }, admin, { name: 'Daily' });
    const dealershipId = await addDealership({ call }, admin, {
      defaultEmailTemplateId: templateId,
      contacts: contacts.map((contact) => ({ ...contact, templateName: 'Daily', active: true })),
    });
    const deals: Deal[] = [];
    // One after the other: their order is that of their making.
    for (const customerName of ['Ann Example', 'Bob Example', 'Cid Example']) {
      deals.push(await addDeal({ call }, admin, dealershipId, { customerName, saleAmount: 1234.5 }));
    }
    return {
      server,
      dataDir,
      admin,
      templateId,
      dealershipId,
      deals,
      addPerson: newPerson,
      addMany: (count) => inDatabaseOf(dataDir, (db) => addManyDeals(db, deals[0]!._id, count)),
      call,
      auditOf: (recordId) =>
        inDatabaseOf(dataDir, (db) =>
          db
            .selectFrom('audit_entries')
            .where('record_id', '=', recordId)
            .orderBy('id')
            .select(['action', 'actor_id as by'])
            .execute(),
        ),
      openAs(browser, { token }, options = DESKTOP, expected = []) {
        const localStorage = [{ name: 'token', value: token }];
        const storageState = { cookies: [], origins: [{ origin: server.url, localStorage }] };
        return openPage(browser, { ...options, storageState }, [...expected, TOO_OFTEN]);
      },
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

const mailServer = {
  smtpHost: '127.0.0.1',
  smtpPort: 9,
  smtpSecure: false,
  smtpUser: 'ada',
  smtpPassword: 'mail password',
  smtpFromEmail: 'ada@shine.example',
};

/** Fills the sign-in screen that a page shows and sends it. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
