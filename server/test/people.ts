import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '@forecourt/contract/auth';
import type { StoredPermissions } from '@forecourt/contract/permissions';
import { NO_LIMITS, openDatabase, type Db } from '../src/platform/db/database.ts';
import { newId, newToken, tokenHash } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { hashPassword } from '../src/platform/passwords.ts';

/** The password of every test user. */
export const PASSWORD = 'correct horse battery';
const passwordHash = hashPassword(PASSWORD);

export type NewPerson = {
  name?: string;
  role?: Role;
  mustChangePassword?: boolean;
  permissions?: { [K in keyof StoredPermissions]?: Partial<StoredPermissions[K]> };
};

export type Account = { id: string; name: string; email: string };

/** Inserts a user with a new address who may have many sessions. */
export async function insertPerson(db: Db, person: NewPerson = {}): Promise<Account> {
  const { name = 'Kim Novak', role = 'user', mustChangePassword = false, permissions = {} } = person;
  const id = newId();
  const email = `${name.split(' ')[0]!.toLowerCase()}-${id.slice(-12)}@example.com`;
  await db
    .insertInto('users')
    .values({ id, name, email, role, force_password_change: mustChangePassword })
    .execute();
  await db
    .insertInto('passwords')
    .values({ user_id: id, hash: await passwordHash })
    .execute();
  await db
    .insertInto('permission_records')
    .values({ user_id: id, record: JSON.stringify({ maxSessions: 100, ...permissions }) })
    .execute();
  return { id, name, email };
}

/** Inserts a session of a user that lasts an hour, and returns its token. */
export async function insertSession(db: Db, userId: string): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({
      id: newId(),
      token_hash: tokenHash(token),
      user_id: userId,
      user_agent: 'test',
      ip: '127.0.0.1',
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  return token;
}

/** The same in the embedded database of a running server. */
export const addPerson = (dataDir: string, person: NewPerson): Promise<Account> =>
  inDatabaseOf(dataDir, (db) => insertPerson(db, person));

const postmasterFile = async (dataDir: string) =>
  (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');

/** Returns the process id of the embedded database of a running server. */
export const postmasterPid = async (dataDir: string): Promise<number> =>
  Number((await postmasterFile(dataDir))[0]);

/** Runs statements in the embedded database of a running server, for state that no route reads or changes. */
export async function inDatabaseOf<R>(dataDir: string, work: (db: Db) => Promise<R>): Promise<R> {
  // The fifth line is the folder of the socket, which only the server's own user may enter.
  const host = (await postmasterFile(dataDir))[4]!;
  const connection = { host, port: 5432, user: 'forecourt', database: 'forecourt' };
  // A bench fills a table in one statement.
  const database = openDatabase(connection, createLog('silent'), 1, undefined, NO_LIMITS);
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}
