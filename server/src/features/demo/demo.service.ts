import { randomBytes } from 'node:crypto';
import { commissionType } from '@forecourt/contract/commission-type';
import type { LinkedData } from '@forecourt/contract/email-templates';
import { sql, type Insertable } from 'kysely';
import { audit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { ANALYZE_TABLES, type Db, type Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { StartError } from '../../platform/start-error.ts';
import { AT_START } from '../auth/setup.service.ts';
import * as company from './demo-company.ts';
import { demoDeals, repeatable, type DemoDeal } from './demo-deals.ts';
import { demoPast, type Past, type PastChange } from './demo-past.ts';
import { FILLED } from './demo.queries.ts';

/** Rows of one statement, limited by its number of parameters. */
const BATCH_SIZE = 500;

/** The password is not stored; the database has its hash. */
export type DemoAccount = { name: string; email: string; password: string };

/**
 * Fills an empty database with a fictional company (docs/product/screens.md, Demo) in one transaction. Returns the
 * accounts; none if the company already exists. Throws a `StartError` if the database has other data.
 */
export async function fillDemo(db: Db, clock: Clock): Promise<DemoAccount[]> {
  return db.transaction().execute(async (tx) => {
    const firstUser = await tx.selectFrom('users').select('email').orderBy('id').limit(1).executeTakeFirst();
    if (firstUser?.email === company.people[0].email) return [];
    if (firstUser) {
      throw new StartError(
        'DEMO=1 fills an empty database, and this one has people in it. Unset DEMO, or set another DATA_DIR.',
      );
    }
    const { accounts, ids: people } = await insertPeople(tx);
    const templates = await insertTemplates(tx, people[0]!);
    const dealerships = await insertDealerships(tx, people[0]!, templates);
    const items = await insertItems(tx, people[0]!);
    await insertSettings(tx);
    const rows = await tx.selectFrom('statuses').select(['id', 'name']).execute();
    const statuses = new Map(rows.map(({ id, name }) => [name, id]));
    const ids = { people, dealerships, items, templates, statuses };
    const past = await insertDeals(tx, clock, ids);
    await insertPast(tx, ids, past);
    await insertViews(tx, ids);
    await audit({ db: tx, origin: AT_START, viewer: null }, 'setup.demo', null);
    await sql.raw(ANALYZE_TABLES).execute(tx);
    return accounts;
  });
}

/** Inserts rows in statements of BATCH_SIZE. */
async function insertAll<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (let begin = 0; begin < rows.length; begin += BATCH_SIZE)
    await tx
      .insertInto<keyof Tables>(table)
      .values(rows.slice(begin, begin + BATCH_SIZE))
      .execute();
}

async function insertPeople(tx: Tx) {
  const accounts: DemoAccount[] = [];
  const ids: string[] = [];
  for (const { name, email, role, preset } of company.people) {
    const id = newId();
    const password = randomBytes(12).toString('base64url');
    await insertAll(tx, 'users', [{ id, name, email, role }]);
    await insertAll(tx, 'passwords', [{ user_id: id, hash: await hashPassword(password) }]);
    const record = JSON.stringify({ maxSessions: 5, ...preset });
    await insertAll(tx, 'permission_records', [{ user_id: id, record }]);
    accounts.push({ name, email, password });
    ids.push(id);
  }
  return { accounts, ids };
}

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (message: string) => ({ type: 'text', text: message });
const variable = (key: string, label: string, linkedData: LinkedData) => ({
  key,
  label,
  category: linkedData.startsWith('deal.') ? 'deal' : 'other',
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

/** Inserts the templates of emails about deals and that of statements. Returns the ids of the former. */
async function insertTemplates(tx: Tx, ownerId: string): Promise<string[]> {
  const ofDeals = [
    { ...variable('customer', 'Customer', 'deal.customerName'), required: true },
    variable('items', 'Items', 'deal.items'),
  ];
  const ids: string[] = [];
  for (const { message, ...template } of company.templates) {
    const blocks = [
      paragraph(text('about '), { type: 'variable', key: 'customer' }, text(`: ${message}`)),
      {
        type: 'conditional',
        key: 'items',
        blocks: [paragraph(text('Chosen: '), { type: 'variable', key: 'items' })],
      },
    ];
    ids.push(await insertTemplate(tx, ownerId, template, ofDeals, blocks));
  }
  const { message, ...template } = company.statementTemplate;
  const ofStatements = [
    variable('month', 'Month', 'statement.month'),
    variable('total', 'Total', 'statement.total'),
  ];
  const blocks = [paragraph(text(message), { type: 'variable', key: 'total' }, text('.'))];
  await insertTemplate(tx, ownerId, template, ofStatements, blocks);
  return ids;
}

async function insertTemplate(
  tx: Tx,
  ownerId: string,
  { name, subject }: { name: string; subject: string },
  variables: readonly object[],
  blocks: readonly object[],
): Promise<string> {
  const id = newId();
  const document = JSON.stringify({
    blocks: [paragraph(text('Hello,')), ...blocks, paragraph(text('Kind regards'))],
  });
  const fields = { name, subject, document, variables: JSON.stringify(variables) };
  await insertAll(tx, 'email_templates', [{ id, ...fields, status: 'active', owner_id: ownerId }]);
  const version = { id: newId(), template_id: id, version: 1, ...fields, created_by: ownerId };
  await insertAll(tx, 'email_template_versions', [version]);
  return id;
}

async function insertDealerships(tx: Tx, ownerId: string, templates: readonly string[]): Promise<string[]> {
  const rows = company.dealerships.map(([name, address]) => ({
    id: newId(),
    name,
    address,
    default_template_id: templates[0]!,
    owner_id: ownerId,
  }));
  await insertAll(tx, 'dealerships', rows);
  const contacts = rows.flatMap(({ id }, dealership) =>
    company.contactsOf(dealership).map((contact, position) => ({
      dealership_id: id,
      position,
      name: contact.name,
      email: contact.email,
      template_id: templates[0]!,
      include_in_to: position === 0,
      include_in_cc: position > 0,
      active: true,
    })),
  );
  await insertAll(tx, 'contacts', contacts);
  return rows.map(({ id }) => id);
}

async function insertItems(tx: Tx, ownerId: string): Promise<string[]> {
  const rows = company.items.map(([name, category, price, cost], index) => ({
    id: newId(),
    name,
    category,
    price,
    cost,
    position: index + 1,
    owner_id: ownerId,
  }));
  await insertAll(tx, 'items', rows);
  return rows.map(({ id }) => id);
}

async function insertSettings(tx: Tx): Promise<void> {
  const rows = Object.entries(company.rates).map(([name, rate]) => ({
    user_id: null,
    name: `commission.${name}`,
    value: JSON.stringify(rate),
  }));
  await insertAll(tx, 'settings', rows);
}

type Ids = Record<'people' | 'dealerships' | 'items' | 'templates', readonly string[]> & {
  /** Ids by name. */
  statuses: ReadonlyMap<string, string>;
};

async function insertDeals(tx: Tx, clock: Clock, ids: Ids): Promise<Past> {
  const rows = demoDeals(repeatable(20), clock).map((deal) => ({ id: newId(), deal }));
  const past = demoPast(repeatable(21), clock, rows);
  const deals = rows.map(({ id, deal }) => rowOf(id, deal, past.changes.get(id), ids));
  await insertAll(tx, 'deals', deals);
  const sold = rows.flatMap(({ id, deal }) =>
    deal.sold.map(({ item, quantity }, position) => ({
      deal_id: id,
      position,
      item_id: ids.items[item]!,
      name: company.items[item]![0],
      quantity,
      unit_price: company.items[item]![2],
    })),
  );
  await insertAll(tx, 'deal_items', sold);
  return past;
}

/** Inserts the emails and audit entries of recent weeks, and their notifications. */
async function insertPast(tx: Tx, ids: Ids, { entries, emails }: Past): Promise<void> {
  const rows = emails.map((email) => ({ id: newId(), email }));
  const mailed = rows.map(({ id, email }) => emailRow(id, email, ids));
  await insertAll(tx, 'emails', mailed);
  const emailDeals = rows.map(({ id, email: { deal, dealVersion } }) => ({
    email_id: id,
    deal_id: deal.id,
    deal_version: dealVersion,
  }));
  await insertAll(tx, 'email_deals', emailDeals);
  const auditEntries = entries.map(({ at, actor, action, entity, record, version, before, after }) => ({
    created_at: at,
    actor_id: actor === null ? null : ids.people[actor]!,
    actor_name: actor === null ? 'System' : company.people[actor]!.name,
    ip: actor === null ? '198.51.100.7' : `192.0.2.${10 + actor}`,
    request_id: FILLED,
    action,
    entity,
    record_id: typeof record === 'number' ? rows[record]!.id : (record ?? null),
    version: version ?? null,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  }));
  await insertAll(tx, 'audit_entries', auditEntries);
  const lastSignIns = new Map(
    entries.flatMap(({ action, actor, at }) =>
      action === 'session.started' && actor !== null ? [[ids.people[actor]!, at] as const] : [],
    ),
  );
  for (const [id, at] of lastSignIns)
    await tx.updateTable('users').set({ last_login: at }).where('id', '=', id).execute();
  const failed = rows.filter(({ email }) => email.status === 'failed');
  const notifications = failed.map(({ id, email }) => ({
    id: newId(),
    user_id: ids.people[email.sender]!,
    kind: 'emailFailed',
    record_id: id,
    occurred_at: email.createdAt,
  }));
  await insertAll(tx, 'notifications', notifications);
}

function emailRow(id: string, email: Past['emails'][number], { people, dealerships, templates }: Ids) {
  const { name, subject, message } = company.templates[0];
  const { name: senderName, email: from } = company.people[email.sender]!;
  const [dealershipName] = company.dealerships[email.deal.deal.dealership]!;
  const [to, cc] = company.contactsOf(email.deal.deal.dealership);
  const subjectLine = subject.replace('{{customer}}', email.customerName);
  const lines = ['Hello,', `about ${email.customerName}: ${message}`, 'Kind regards'];
  return {
    id,
    sender_id: people[email.sender]!,
    dealership_id: dealerships[email.deal.deal.dealership]!,
    template_id: templates[0]!,
    template_name: name,
    template_version: 1,
    from_name: senderName,
    from_address: from,
    to_addresses: [to.email],
    cc_addresses: [cc.email],
    subject: subjectLine,
    html: lines.map((line) => `<p>${line}</p>`).join(''),
    body_text: lines.join('\n\n'),
    message_id: `<${id}@demo.example>`,
    search_text: [subjectLine, name, dealershipName, email.customerName, to.email, cc.email]
      .join(' ')
      .toLowerCase(),
    deal_fields: ['customerName'],
    status: email.status,
    answer: email.answer,
    attempts: email.attempts,
    created_at: email.createdAt,
    updated_at: email.sentAt ?? email.createdAt,
    sent_at: email.sentAt,
    next_attempt_at: email.nextAttemptAt,
    cancellable_until: email.status === 'queued' ? email.nextAttemptAt : null,
  };
}

async function insertViews(tx: Tx, { people, statuses }: Ids): Promise<void> {
  const view = (owner: number, name: string, statusName: string, sort: object | null) => ({
    id: newId(),
    owner_id: people[owner]!,
    name,
    is_shared: true,
    arrangement: JSON.stringify({
      filter: {
        match: 'all',
        conditions: [{ field: 'status', operator: 'isAnyOf', value: [statuses.get(statusName)!] }],
      },
      sort,
      columns: [],
    }),
  });
  await insertAll(tx, 'deal_views', [
    view(2, 'To call, earliest first', 'To Call', { column: 'followUpAt', direction: 'ascending' }),
    view(3, 'Sold, largest first', 'Deal', { column: 'saleAmount', direction: 'descending' }),
  ]);
}

function rowOf(id: string, deal: DemoDeal, change: PastChange | undefined, ids: Ids) {
  const sum = (column: 2 | 3): number =>
    deal.sold.reduce((total, { item, quantity }) => total + company.items[item]![column] * quantity, 0);
  const owner = ids.people[deal.person]!;
  return {
    id,
    status_id: ids.statuses.get(deal.status)!,
    dealership_id: ids.dealerships[deal.dealership]!,
    customer_name: change?.customerName ?? deal.customerName,
    notes: change?.notes ?? '',
    version: change?.version ?? 1,
    field_versions: JSON.stringify(change?.fieldVersions ?? {}),
    customer_number: deal.customerNumber,
    deal_number: deal.dealNumber,
    vehicle: deal.vehicle,
    follow_up_at: deal.followUpAt,
    sale_amount: sum(2),
    cost_amount: sum(3),
    commission_rate: company.rates[commissionType(company.dealerships[deal.dealership]![0])],
    month: deal.month,
    owner_id: owner,
    created_by: owner,
    updated_by: change ? ids.people[change.updatedBy]! : owner,
    created_at: deal.createdAt,
    updated_at: change?.updatedAt ?? deal.closedAt ?? deal.createdAt,
    closed_at: deal.closedAt,
  };
}
