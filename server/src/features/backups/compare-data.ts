import type { RestoreCheck, RestoreCount } from '@forecourt/contract/backups';
import { kindsWith, type KindWith } from '@forecourt/contract/record-kinds';
import type pg from 'pg';
import { ident } from '../../platform/db/dedicated-client.ts';
import { SCHEMA } from '../../platform/db/schemas.ts';

type Compared = {
  table: string;
  id?: string;
  where?: string;
  /**
   * Expressions that differ when the record has changed: its version and the time of its last change if omitted, none
   * if a record never changes. A table in them is in `schema`.
   */
  state?: (schema: string) => readonly string[];
};

type ComparedKind = KindWith<'compared'>;
/** Kinds without a table in `recordKinds` need one here. */
type Special = Record<Exclude<ComparedKind, KindWith<'table'>>, Compared> &
  Partial<Record<ComparedKind, Partial<Compared>>>;

const special: Special = {
  // Deleted rows that could be restored do not count.
  deal: { where: 'deleted_at is null' },
  'deal-comments': { table: 'deal_comments', state: () => ['version'] },
  'deal-attachments': { table: 'deal_attachments', state: () => [] },
  'do-not-contact': { state: () => [] },
  // A month that was reopened is open. How often it was closed differs after another close.
  month: { table: 'business_months', id: 'month', where: `state = 'closed'`, state: () => ['closing'] },
  // A statement never changes, but people query and answer it.
  statement: {
    table: 'statements',
    state: (schema) => [
      `(select count(*) from ${schema}.statement_notes where statement_id = ${schema}.statements.id)`,
    ],
  },
  permissions: { table: 'permission_records', id: 'user_id' },
};

const versioned = () => ['version', 'updated_at'];

/** Compares the rows of a backup in a scratch schema with the live data, by kind. */
export async function countDifferences(client: pg.Client, scratch: string): Promise<RestoreCount[]> {
  const counts: RestoreCount[] = [];
  for (const { kind, compared, ...named } of kindsWith('compared')) {
    const rules: Partial<Compared> = special[kind] ?? {};
    const { table = named.table!, id = 'id', where = 'true', state = versioned } = rules;
    const rowsIn = (schema: string) => {
      const states = state(schema).map((value, index) => `, ${value} as state${index}`);
      return `(select ${id} as id${states.join('')} from ${schema}.${ident(table)} where ${where})`;
    };
    const isChanged = state(SCHEMA).map((_, index) => `theirs.state${index} <> ours.state${index}`);
    const { rows } = await client.query<Omit<RestoreCount, 'kind'>>(`
      select count(theirs.id)::int as "inBackup", count(ours.id)::int as now,
        count(*) filter (where ours.id is null)::int as "comesBack",
        count(*) filter (where theirs.id is null)::int as disappears,
        count(*) filter (where ${isChanged.join(' or ') || 'false'})::int as changes
      from ${rowsIn(ident(scratch))} theirs full join ${rowsIn(ident(SCHEMA))} ours using (id)`);
    counts.push({ kind: compared, ...rows[0]! });
  }
  return counts;
}

/**
 * Returns users who could sign in only after the restore (docs/product/security.md, A restore revives nothing that
 * ended).
 */
export async function peopleReactivated(client: pg.Client): Promise<RestoreCheck['reactivated']> {
  const { rows } = await client.query<{ name: string; email: string }>(`
    select theirs.name, theirs.email from users theirs left join ${ident(SCHEMA)}.users ours using (id)
    where theirs.is_active and not coalesce(ours.is_active, false) order by theirs.name limit 100`);
  return rows;
}
