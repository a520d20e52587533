import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '@forecourt/server/test/app';
import { addDeal, addDealership, addManyDeals, addTemplate } from '@forecourt/server/test/builders';
import { testDatabase, urlOf, type TestDatabase } from '@forecourt/server/test/database';
import { insertPerson, PASSWORD, type Account, type NewPerson } from '@forecourt/server/test/people';
import { callServer } from '@forecourt/server/test/process';
import { openMailServer, type MailServer } from '@forecourt/server/test/smtp';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { closePages, openPage, sharedBrowser, signInAtFirst, type OpenPage } from '../browser.ts';

export { PASSWORD };

export const DESKTOP = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 } };

/** A user with a session. */
export type Person = Account & { token: string };

export type Company = {
  readonly server: { readonly url: string };
  readonly db: TestDatabase['db'];
  /** An administrator with settings of an unreachable mail server. */
  readonly admin: Person;
  readonly templateId: string;
  readonly dealershipId: string;
  /** The deals of Ann, Bob and Cid as returned by the API, all owned by the administrator. */
  readonly deals: readonly Deal[];
  /** Adds another user and signs them in through the API. */
  addPerson(person: NewPerson): Promise<Person>;
  /** Adds many deals of the current month, older than Ann, Bob and Cid: 'Row 000001' comes next. */
  addMany(count: number): Promise<void>;
  /** Calls `'METHOD /path'` below /api, by default as the administrator. */
  call(route: string, call?: { token?: string; body?: unknown }): ReturnType<typeof callServer>;
  /** Returns the actions on a record with their users, oldest first. */
  auditOf(recordId: string): Promise<{ action: string; by: string | null }[]>;
  /** Opens a blank page in a new browser context in which this user is signed in. */
  openAs(
    browser: Browser,
    person: { token: string },
    options?: BrowserContextOptions,
    expected?: readonly RegExp[],
  ): Promise<OpenPage>;
  close(): Promise<void>;
};

/**
 * A user's permissions may be requested five times a minute. Tests that open more pages receive them by the live
 * connection.
 */
export const TOO_OFTEN = /status of 429/;

type Deal = { _id: string; customerName: string; version: number };

const contacts = [
  { name: 'Tess To', email: 'tess@harbour.example', includeInTo: true, includeInCc: false },
  { name: 'Cam Copy', email: 'cam@harbour.example', includeInTo: false, includeInCc: true },
];

/**
 * Starts a server with its own database, a template, a dealership and three deals. Emails stay queued: nothing is sent
 * within a test.
 */
export async function startCompany(environment: Record<string, string> = {}): Promise<Company> {
  const dataDir = await mkdtemp(join(tmpdir(), 'company-'));
  const database = await testDatabase();
  const { db } = database;
  const server = await startInProcess(dataDir, {
    DATABASE_URL: urlOf(database.connection),
    COMPANY_NAME: 'Shine & Shield',
    UNDO_SEND_SECONDS: '600',
    ...environment,
  });
  const close = async () => {
    await server.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const newPerson = async (person: NewPerson): Promise<Person> => {
    const account = await insertPerson(db, person);
    const body = { email: account.email, password: PASSWORD };
    const response = await callServer(server.url, 'POST /auth/login', undefined, body);
    return { ...account, token: response.body.token };
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
    // Sequential, because their order is that of creation.
    for (const customerName of ['Ann Example', 'Bob Example', 'Cid Example']) {
      deals.push(await addDeal({ call }, admin, dealershipId, { customerName, saleAmount: 1234.5 }));
    }
    return {
      server,
      db,
      admin,
      templateId,
      dealershipId,
      deals,
      addPerson: newPerson,
      addMany: (count) => addManyDeals(db, deals[0]!._id, count),
      call,
      auditOf: (recordId) =>
        db
          .selectFrom('audit_entries')
          .where('record_id', '=', recordId)
          .orderBy('id')
          .select(['action', 'actor_id as by'])
          .execute(),
      async openAs(browser, { token }, options = DESKTOP, expected = []) {
        const open = await openPage(browser, options, [...expected, TOO_OFTEN]);
        await signInAtFirst(open.page, server.url, token);
        return open;
      },
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

export type MailingCompany = Company & { readonly mail: MailServer };

/** Starts a company whose administrator has a mail server. Emails are sent at once. */
async function startMailingCompany(environment: Record<string, string> = {}): Promise<MailingCompany> {
  const [company, mail] = await Promise.all([
    startCompany({ UNDO_SEND_SECONDS: '0', ...environment }),
    openMailServer(),
  ]);
  const { admin } = company;
  await company.call(`PUT /email-settings/user/${admin.id}`, {
    body: { ...mailServer, smtpPort: mail.port, smtpFromEmail: admin.email },
  });
  return {
    ...company,
    mail,
    async close() {
      await company.close();
      await mail.close();
    },
  };
}

/** Starts the company of a test file with this worker's browser, and closes both after its tests. */
export const openCompany = (environment?: Record<string, string>) => forFile(startCompany(environment));

/** Starts it with a mail server; see `startMailingCompany`. */
export const openMailingCompany = (environment?: Record<string, string>) =>
  forFile(startMailingCompany(environment));

async function forFile<C extends Company>(starting: Promise<C>): Promise<{ company: C; browser: Browser }> {
  const [company, browser] = await Promise.all([starting, sharedBrowser()]);
  afterAll(async () => {
    await closePages();
    await company.close();
  });
  return { company, browser };
}

const mailServer = {
  smtpHost: '127.0.0.1',
  smtpPort: 9,
  smtpSecure: false,
  smtpUser: 'ada',
  smtpPassword: 'mail password',
  smtpFromEmail: 'ada@shine.example',
};

/** Fills and submits the sign-in form on the page. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
