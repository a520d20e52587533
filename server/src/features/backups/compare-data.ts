import type { BackupKind, RestoreCheck, RestoreCount } from '@forecourt/contract/backups';
import type pg from 'pg';
import type { z } from 'zod';
import { ident } from '../../platform/db/direct.ts';
import { SCHEMA } from '../../platform/db/schemas.ts';

/** The table of each kind of record, and which rows count: deleted rows that could be restored do not. */
const KINDS: { kind: z.infer<typeof BackupKind>; table: string; where?: string }[] = [
  { kind: 'deals', table: 'deals', where: 'deleted_at is null' },
  { kind: 'dealerships', table: 'dealerships' },
  { kind: 'templates', table: 'email_templates' },
  { kind: 'items', table: 'items' },
  { kind: 'statuses', table: 'statuses' },
  { kind: 'customFields', table: 'custom_fields' },
  { kind: 'users', table: 'users' },
  { kind: 'emails', table: 'emails' },
];

/** Compares the scratch schema, which is in the client's search path, with the live data. */
export async function countDifferences(client: pg.Client): Promise<RestoreCount[]> {
  const counts: RestoreCount[] = [];
  for (const { kind, table, where = 'true' } of KINDS) {
    const { rows } = await client.query<Omit<RestoreCount, 'kind'>>(`
      select count(theirs.id)::int as "inBackup", count(ours.id)::int as now,
        count(*) filter (where ours.id is null)::int as "comesBack",
        count(*) filter (where theirs.id is null)::int as disappears,
        count(*) filter (where theirs.version <> ours.version or theirs.updated_at <> ours.updated_at)::int as changes
      from (select id, version, updated_at from ${ident(table)} where ${where}) theirs
      full join (select id, version, updated_at from ${ident(SCHEMA)}.${ident(table)} where ${where}) ours using (id)`);
    counts.push({ kind, ...rows[0]! });
  }
  return counts;
}

/** Returns users who may not sign in now and could after the restore (docs/product/security.md, A restore revives nothing that ended). */
export async function peopleReactivated(client: pg.Client): Promise<RestoreCheck['reactivated']> {
  const { rows } = await client.query<{ name: string; email: string }>(`
    select theirs.name, theirs.email from users theirs left join ${ident(SCHEMA)}.users ours using (id)
    where theirs.is_active and not coalesce(ours.is_active, false) order by theirs.name limit 100`);
  return rows;
}
