import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

const BATCH = 1000;

/** Yields every row of a query in batches through a cursor, with bounded memory. */
async function* batchesOf<R>(db: Tx, query: RawBuilder<R>): AsyncGenerator<R[]> {
  await sql`declare export_rows no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.lit(BATCH)} from export_rows`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

export type DealershipRecord = {
  name: string;
  address: string;
  active: boolean;
  template: string | null;
  contacts: number;
  owner: string;
  createdAt: string;
};

export const readDealerships = (db: Tx) =>
  batchesOf(
    db,
    sql<DealershipRecord>`
      select dealerships.name, address, active, email_templates.name as template, users.name as owner,
        (select count(*) from contacts where dealership_id = dealerships.id) as contacts,
        dealerships.created_at as "createdAt"
      from dealerships
      join users on users.id = dealerships.owner_id
      left join email_templates on email_templates.id = default_template_id
      order by dealerships.name collate "en-AU-x-icu", dealerships.id`,
  );

export type ContactRecord = {
  dealership: string;
  name: string;
  email: string;
  template: string;
  inTo: boolean;
  inCc: boolean;
  active: boolean;
};

export const readContacts = (db: Tx) =>
  batchesOf(
    db,
    sql<ContactRecord>`
      select dealerships.name as dealership, contacts.name, email,
        coalesce(email_templates.name, template_name) as template,
        include_in_to as "inTo", include_in_cc as "inCc", contacts.active
      from contacts join dealerships on dealerships.id = dealership_id
      left join email_templates on email_templates.id = template_id
      order by dealerships.name collate "en-AU-x-icu", dealerships.id, position`,
  );

export type TemplateRecord = {
  name: string;
  subject: string;
  status: string;
  version: number;
  owner: string;
  updatedAt: string;
};

export const readTemplates = (db: Tx) =>
  batchesOf(
    db,
    sql<TemplateRecord>`
      select email_templates.name, subject, status, email_templates.version, users.name as owner,
        email_templates.updated_at as "updatedAt"
      from email_templates join users on users.id = owner_id
      order by email_templates.name collate "en-AU-x-icu", email_templates.id`,
  );

export type UserRecord = {
  name: string;
  email: string;
  role: string;
  isActive: boolean;
  lastLogin: string | null;
  createdAt: string;
};

/** Returns users without credentials. */
export const readUsers = (db: Tx) =>
  batchesOf(
    db,
    sql<UserRecord>`
      select name, email, role, is_active as "isActive", last_login as "lastLogin", created_at as "createdAt"
      from users order by name collate "en-AU-x-icu", id`,
  );

export type EmailFilter = {
  status?: string | undefined;
  /** The first and the last business day, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
};

export type EmailRecord = {
  createdAt: string;
  sender: string;
  fromAddress: string;
  to: string[];
  cc: string[];
  subject: string;
  template: string;
  version: number;
  dealership: string;
  status: string;
  sentAt: string | null;
  answer: string;
};

const emailsMatching = ({ status, from, to, search }: EmailFilter, timeZone: string) =>
  sql.join(
    [
      sql`true`,
      ...(status ? [sql`emails.status = ${status}`] : []),
      ...(from ? [sql`emails.created_at >= ${from}::date::timestamp at time zone ${timeZone}`] : []),
      ...(to ? [sql`emails.created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`] : []),
      ...(search ? [sql`strpos(emails.search_text, ${search.toLowerCase()}) > 0`] : []),
    ],
    sql` and `,
  );

export const readEmails = (db: Tx, filter: EmailFilter, timeZone: string) =>
  batchesOf(
    db,
    sql<EmailRecord>`
      select emails.created_at as "createdAt", users.name as sender, from_address as "fromAddress",
        to_addresses as "to", cc_addresses as cc, subject, template_name as template,
        template_version as version, dealerships.name as dealership, emails.status, sent_at as "sentAt", answer
      from emails
      join users on users.id = sender_id
      join dealerships on dealerships.id = dealership_id
      where ${emailsMatching(filter, timeZone)}
      order by emails.created_at desc, emails.id desc`,
  );

/** Counts the rows of a kind, for the progress of an export; an upper limit when there is a filter. */
export async function countRecords(db: Tx, kind: keyof typeof TABLES): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(TABLES[kind])}`.execute(db);
  return rows[0]!.count;
}

const TABLES = {
  dealerships: 'dealerships',
  contacts: 'contacts',
  templates: 'email_templates',
  emails: 'emails',
  users: 'users',
  audit: 'audit_entries',
} as const;
