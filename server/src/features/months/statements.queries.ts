import type { AdjustedField, ClosedStatement, StatementKind } from '@forecourt/contract/statements';
import { sql, type SqlBool } from 'kysely';
import { lockName, type Db, type Tx } from '../../platform/db/database.ts';

/** A person, or a dealership. */
export type Recipient = { kind: StatementKind; id: string; name: string };

/** What a statement stores: all that it shows, except what is added later. */
export type StatementContent = Omit<
  ClosedStatement,
  '_id' | 'isSuperseded' | 'digest' | 'notes' | 'abilities' | 'lines' | 'adjustments'
> & {
  lines: Required<ClosedStatement['lines'][number]>[];
  adjustments: Required<ClosedStatement['adjustments'][number]>[];
};

/** Whether the row belongs to the closing that its month has now. */
const isCurrent = (table: 'statements' | 'month_adjustments') =>
  sql<SqlBool>`exists (select from business_months where business_months.month = ${sql.ref(`${table}.month`)}
    and business_months.state = 'closed' and business_months.closing = ${sql.ref(`${table}.closing`)})`;

/** Whether no statement has the adjustment. */
const isPending = sql<SqlBool>`not exists (select from statement_adjustments
  join statements on statements.id = statement_adjustments.statement_id
  where statement_adjustments.adjustment_id = month_adjustments.id and ${isCurrent('statements')})`;

type AdjustedValues = Partial<Record<AdjustedField, string | number | boolean | null>>;

const pending = (db: Db | Tx, before: string) =>
  db
    .selectFrom('month_adjustments')
    .where('month_adjustments.month', '<', before)
    .where(isCurrent('month_adjustments'))
    .where(isPending);

/** Returns the adjustments of earlier months that the next statements have to show, oldest first. */
export const listPending = (db: Tx, before: string) =>
  pending(db, before)
    .innerJoin('users as authors', 'authors.id', 'month_adjustments.created_by')
    .leftJoin('users as owners', 'owners.id', 'month_adjustments.owner_id')
    .leftJoin('dealerships', 'dealerships.id', 'month_adjustments.dealership_id')
    .orderBy('month_adjustments.id')
    .select([
      'month_adjustments.id',
      'deal_id',
      'month',
      'amount',
      'customer_name',
      'deal_number',
      'reason',
      'month_adjustments.created_at',
      'authors.name as by_name',
      sql<string>`coalesce(month_adjustments.owner_id, month_adjustments.dealership_id)`.as('recipient_id'),
      sql<string>`coalesce(owners.name, dealerships.name)`.as('recipient_name'),
    ])
    .select((eb) => [
      eb.ref('kind').$castTo<StatementKind>().as('kind'),
      eb.ref('before').$castTo<AdjustedValues | null>().as('before'),
      eb.ref('after').$castTo<AdjustedValues | null>().as('after'),
    ])
    .execute();

export type PendingAdjustment = Awaited<ReturnType<typeof listPending>>[number];

/** Counts the rows that have such adjustments. */
export const countPending = async (db: Db | Tx, before: string): Promise<number> =>
  (
    await pending(db, before)
      .select(sql<number>`count(distinct deal_id)::integer`.as('count'))
      .executeTakeFirstOrThrow()
  ).count;

type Sum = { kind: StatementKind; statements: number; adjustments: number };

/** Returns the sums of a closed month by kind. */
export async function sumClosed(db: Db | Tx, month: string): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select kind, coalesce(sum(lines_total), 0) as statements, coalesce(sum(amount), 0) as adjustments
    from (
      select kind, lines_total, 0 as amount from statements where month = ${month} and ${isCurrent('statements')}
      union all
      select kind, 0, amount from month_adjustments where month = ${month} and ${isCurrent('month_adjustments')}
    ) as parts group by kind`.execute(db);
  return rows;
}

export const lastNumber = async (db: Tx, kind: StatementKind, month: string): Promise<number> =>
  (
    await db
      .selectFrom('statements')
      .where('kind', '=', kind)
      .where('month', '=', month)
      .select(sql<number>`coalesce(max(number), 0)::integer`.as('last'))
      .executeTakeFirstOrThrow()
  ).last;

/** Returns the last numbers of the month's closings in the audit log, which a restore of an older backup keeps. */
export async function lastAuditedNumbers(
  db: Tx,
  monthId: string,
): Promise<Partial<Record<StatementKind, number>>> {
  const { rows } = await sql<{ last: Record<StatementKind, number> }>`
    select after -> 'lastNumbers' as last from audit_entries
    where record_id = ${monthId} and entity = 'month' and action = 'month.closed' order by id desc limit 1`.execute(
    db,
  );
  return rows[0]?.last ?? {};
}

type NewStatement = {
  id: string;
  kind: StatementKind;
  month: string;
  closing: number;
  number: number;
  recipientId: string;
  content: StatementContent;
  adjustmentIds: readonly string[];
};

/** Stores statements with their adjustments. Returns the SHA-256 of each as it is stored. */
export async function insertStatements(
  db: Tx,
  statements: readonly NewStatement[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; digest: string }>`
    insert into statements (id, kind, month, closing, number, owner_id, dealership_id, lines_total, content, digest)
    select id, kind, month, closing, number, case when kind = 'commission' then "recipientId" end,
      case when kind = 'account' then "recipientId" end, (content -> 'totals' ->> 'lines')::numeric, content,
      encode(sha256(convert_to(content::text, 'UTF8')), 'hex')
    from json_to_recordset(${JSON.stringify(statements)}::json) as input (id uuid, kind text, month text,
      closing integer, number integer, "recipientId" uuid, content jsonb)
    returning id, digest`.execute(db);
  const links = statements.flatMap(({ id, adjustmentIds }) =>
    adjustmentIds.map((adjustment) => ({ id, adjustment })),
  );
  if (links.length > 0)
    await sql`
      insert into statement_adjustments (statement_id, adjustment_id)
      select id, adjustment from json_to_recordset(${JSON.stringify(links)}::json) as input (id uuid, adjustment bigint)`.execute(
      db,
    );
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

const statements = (db: Db | Tx) =>
  db
    .selectFrom('statements')
    .select(['statements.id', 'owner_id', 'digest'])
    .select([
      sql<boolean>`not ${isCurrent('statements')}`.as('is_superseded'),
      sql<
        NoteRow[]
      >`(select coalesce(json_agg(json_build_object('id', notes.id, 'kind', notes.kind, 'text', notes.text,
          'byName', users.name, 'at', notes.created_at) order by notes.created_at, notes.id), '[]')
        from statement_notes as notes join users on users.id = notes.created_by
        where notes.statement_id = statements.id)`.as('notes'),
    ]);

type NoteRow = {
  id: string;
  kind: 'seen' | 'query' | 'answer' | 'sent';
  text: string;
  byName: string;
  at: string;
};

export type StatementRow = Awaited<ReturnType<typeof listStatements>>[number];

/** Returns statements without lines, newest month first. */
export const listStatements = (
  db: Db,
  {
    month,
    kinds,
    ownerId,
  }: { month: string | undefined; kinds: readonly StatementKind[]; ownerId: string | undefined },
) =>
  statements(db)
    .$if(month !== undefined, (query) => query.where('month', '=', month!))
    .where('kind', 'in', kinds.length > 0 ? kinds : [''])
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId!))
    .orderBy('month', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('number')
    .select([
      sql<Omit<StatementContent, 'lines' | 'adjustments' | 'waivers' | 'companyName'>>`head`.as('head'),
      'rows',
    ])
    .execute();

export const findStatement = (db: Db | Tx, id: string) =>
  statements(db)
    .where('statements.id', '=', id)
    .select((eb) => eb.ref('content').$castTo<StatementContent>().as('content'))
    .executeTakeFirst();

export const findStatements = (db: Db | Tx, ids: readonly string[]) =>
  statements(db)
    .where(sql<boolean>`statements.id = any(${ids}::uuid[])`)
    .select((eb) => eb.ref('content').$castTo<StatementContent>().as('content'))
    .execute();

export type FullStatementRow = NonNullable<Awaited<ReturnType<typeof findStatement>>>;

type NewNote = { id: string; statement_id: string; kind: NoteRow['kind']; text: string; created_by: string };
export const insertNotes = (db: Tx, notes: readonly NewNote[]) =>
  db.insertInto('statement_notes').values(notes).execute();

/** Serialises notes of a statement. */
export const lockStatement = (db: Tx, id: string) => lockName(db, `statement ${id}`);

/** Returns kind and person of these statements. */
export const listOwners = (db: Db | Tx, ids: readonly string[]) =>
  db
    .selectFrom('statements')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['id', 'month', 'owner_id'])
    .select((eb) => eb.ref('kind').$castTo<StatementKind>().as('kind'))
    .execute();

/** Returns who has a statement of the month, with its present name. */
export async function listRecipients(db: Tx, month: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select distinct statements.kind, coalesce(statements.owner_id, statements.dealership_id) as id,
      coalesce(users.name, dealerships.name) as name
    from statements left join users on users.id = statements.owner_id
      left join dealerships on dealerships.id = statements.dealership_id
    where statements.month = ${month}`.execute(db);
  return rows;
}
