import { sql } from 'kysely';
import { emailValues } from '../../../test/builders.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { newId } from '../../platform/ids.ts';
import { secrets } from './delivery.fixture.ts';

export const sealed = (userId: string, password: string) =>
  secrets.seal(password, { table: 'email_settings', column: 'smtp_password', recordId: userId });

export type Sender = Awaited<ReturnType<typeof addSender>>;

/** Adds a user with a mail server on this port and a dealership to write to. */
export async function addSender({ db }: TestDatabase, port: number, password = 'right') {
  const senderId = newId();
  await db
    .insertInto('users')
    .values({ id: senderId, name: 'Kim Novak', email: `${senderId}@example.com`, role: 'user' })
    .execute();
  await db
    .insertInto('email_settings')
    .values({
      user_id: senderId,
      smtp_host: '127.0.0.1',
      smtp_port: port,
      smtp_secure: false,
      smtp_user: 'kim',
      smtp_password: sealed(senderId, password),
      smtp_from_email: 'kim@example.com',
    })
    .execute();
  const dealershipId = newId();
  await db
    .insertInto('dealerships')
    .values({ id: dealershipId, name: 'Harbour', address: 'Pier', owner_id: senderId })
    .execute();
  return { senderId, dealershipId };
}

/** Makes the recipients of these messages contacts of their dealership. */
async function addContacts(
  { db }: TestDatabase,
  { dealershipId }: Sender,
  emails: readonly ReturnType<typeof emailValues>[],
): Promise<void> {
  const addresses = emails.flatMap((email) => [...email.to_addresses, ...email.cc_addresses]);
  await sql`
    insert into contacts (dealership_id, position, name, email, template_name, include_in_to, include_in_cc, active)
    select ${dealershipId}, abs(hashtext(address)), 'Sam', address, 'Daily', true, false, true
    from unnest(${addresses}::text[]) as given (address)
    on conflict do nothing`.execute(db);
}

const emailOf = ({ senderId, dealershipId }: Sender, changes: object) =>
  emailValues(senderId, dealershipId, { next_attempt_at: sql<string>`now()`, ...changes });

/** Adds a due message and returns its id. */
export async function addEmail(
  database: TestDatabase,
  sender: Sender,
  changes: object = {},
): Promise<string> {
  const email = emailOf(sender, changes);
  await addContacts(database, sender, [email]);
  await database.db.insertInto('emails').values(email).execute();
  return email.id;
}

/** Adds many messages with individual changes. */
export async function addEmails(database: TestDatabase, sender: Sender, changes: object[]): Promise<void> {
  const emails = changes.map((each) => emailOf(sender, each));
  await addContacts(database, sender, emails);
  await database.db.insertInto('emails').values(emails).execute();
}
