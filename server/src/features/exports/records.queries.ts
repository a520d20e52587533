import type { NewExport } from '@forecourt/contract/exports';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CellValue } from '../../platform/table-files/cells.ts';

const BATCH = 1000;

/** Values by the names in the query (`tables.ts`). */
export type StoredRecord = Readonly<Record<string, CellValue>>;

/** Yields the rows of a query in batches through a cursor, so that memory is bounded. */
async function* batchesOf(db: Tx, query: RawBuilder<unknown>): AsyncGenerator<StoredRecord[]> {
  await sql`declare export_rows no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<StoredRecord>`fetch ${sql.lit(BATCH)} from export_rows`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

const QUERIES = {
  dealerships: sql`
    select dealerships.name, address, active, email_templates.name as template, users.name as owner,
      (select count(*) from contacts where dealership_id = dealerships.id) as contacts,
      dealerships.created_at as "createdAt"
    from dealerships
    join users on users.id = dealerships.owner_id
    left join email_templates on email_templates.id = default_template_id
    order by dealerships.name collate "en-AU-x-icu", dealerships.id`,
  contacts: sql`
    select dealerships.name as dealership, contacts.name, email,
      coalesce(email_templates.name, template_name) as template,
      include_in_to as "inTo", include_in_cc as "inCc", contacts.active
    from contacts join dealerships on dealerships.id = dealership_id
    left join email_templates on email_templates.id = template_id
    order by dealerships.name collate "en-AU-x-icu", dealerships.id, position`,
  templates: sql`
    select email_templates.name, subject, status, email_templates.version, users.name as owner,
      email_templates.updated_at as "updatedAt"
    from email_templates join users on users.id = owner_id
    order by email_templates.name collate "en-AU-x-icu", email_templates.id`,
  /** Omits credentials. */
  users: sql`
    select name, email, role, is_active as "isActive", last_login as "lastLogin", created_at as "createdAt"
    from users order by name collate "en-AU-x-icu", id`,
};

/** The kinds without a filter. */
export type WholeKind = keyof typeof QUERIES;

export const readWhole = (db: Tx, kind: WholeKind) => batchesOf(db, QUERIES[kind]);

type EmailFilter = Extract<NewExport, { kind: 'emails' }>;

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
    sql`
      select emails.created_at as "createdAt", users.name as sender, from_address as "fromAddress",
        array_to_string(to_addresses, ', ') as "to", array_to_string(cc_addresses, ', ') as cc,
        subject, template_name as template, template_version as version, dealerships.name as dealership,
        emails.status, sent_at as "sentAt", answer
      from emails
      join users on users.id = sender_id
      join dealerships on dealerships.id = dealership_id
      where ${emailsMatching(filter, timeZone)}
      order by emails.created_at desc, emails.id desc`,
  );

/** Counts the rows of a kind for the progress of an export. With a filter this is an upper limit. */
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
