import { randomBytes } from 'node:crypto';
import { audit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { StartError } from '../../platform/start-error.ts';
import * as company from './demo-company.ts';
import { demoDeals, repeatable, type DemoDeal } from './demo-deals.ts';

/** Rows of one statement: its values must fit into what a statement may have. */
const AT_ONCE = 500;

/** Who can sign in, with a password that nobody can look up again. */
export type DemoAccount = { name: string; email: string; password: string };

/**
 * Fills an empty database with a believable company (product.md section 2, DEMO): all of it, or nothing. Answers who
 * can sign in; nobody when the company is there already. Throws a `StartError` where there is anything else.
 */
export async function fillDemo(db: Db, clock: Clock): Promise<DemoAccount[]> {
  return db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('users').select('email').orderBy('id').limit(1).executeTakeFirst();
    if (known?.email === company.people[0].email) return [];
    if (known) {
      throw new StartError(
        'DEMO=1 fills an empty database, and this one has people in it. Unset DEMO, or set another DATA_DIR.',
      );
    }
    const { accounts, ids: people } = await insertPeople(tx);
    const templates = await insertTemplates(tx, people[0]!);
    const dealerships = await insertDealerships(tx, people[0]!, templates);
    const items = await insertItems(tx, people[0]!);
    await insertSettings(tx);
    await insertDeals(tx, clock, { people, dealerships, items });
    await audit(
      tx,
      { viewer: null, origin: { requestId: 'start', ip: '', userAgent: '' } },
      { action: 'setup.demo', entity: 'setup', recordId: null },
    );
    return accounts;
  });
}

async function insertPeople(tx: Tx) {
  const accounts: DemoAccount[] = [];
  const ids: string[] = [];
  for (const { name, email, role, preset } of company.people) {
    const id = newId();
    const password = randomBytes(12).toString('base64url');
    await tx.insertInto('users').values({ id, name, email, role }).execute();
    await tx
      .insertInto('passwords')
      .values({ user_id: id, hash: await hashPassword(password) })
      .execute();
    const record = JSON.stringify({ maxSessions: 5, ...preset });
    await tx.insertInto('permission_records').values({ user_id: id, record }).execute();
    accounts.push({ name, email, password });
    ids.push(id);
  }
  return { accounts, ids };
}

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (words: string) => ({ type: 'text', text: words });

async function insertTemplates(tx: Tx, ownerId: string): Promise<string[]> {
  const variables = JSON.stringify([
    {
      key: 'customer',
      label: 'Customer',
      category: 'deal',
      defaultValue: '',
      description: '',
      linkedData: 'deal.customerName',
      required: true,
    },
  ]);
  const ids: string[] = [];
  for (const { name, subject, words } of company.templates) {
    const id = newId();
    const document = JSON.stringify({
      blocks: [
        paragraph(text('Hello,')),
        paragraph(text('about '), { type: 'variable', key: 'customer' }, text(`: ${words}`)),
        paragraph(text('Kind regards')),
      ],
    });
    const fields = { name, subject, document, variables };
    await tx
      .insertInto('email_templates')
      .values({ id, ...fields, status: 'active', owner_id: ownerId })
      .execute();
    await tx
      .insertInto('email_template_versions')
      .values({ id: newId(), template_id: id, version: 1, ...fields, created_by: ownerId })
      .execute();
    ids.push(id);
  }
  return ids;
}

async function insertDealerships(tx: Tx, ownerId: string, templates: readonly string[]): Promise<string[]> {
  const rows = company.dealerships.map(([name, address]) => ({
    id: newId(),
    name,
    address,
    default_template_id: templates[0]!,
    owner_id: ownerId,
  }));
  await tx.insertInto('dealerships').values(rows).execute();
  const contacts = rows.flatMap(({ id, name }, index) => {
    const host = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
    const person = company.firstNames[index]!;
    const contact = { dealership_id: id, template_name: company.templates[0].name, active: true };
    return [
      {
        ...contact,
        position: 0,
        name: person,
        email: `${person.toLowerCase()}@${host}`,
        include_in_to: true,
        include_in_cc: false,
      },
      {
        ...contact,
        position: 1,
        name: 'Front desk',
        email: `desk@${host}`,
        include_in_to: false,
        include_in_cc: true,
      },
    ];
  });
  await tx.insertInto('contacts').values(contacts).execute();
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
  await tx.insertInto('items').values(rows).execute();
  return rows.map(({ id }) => id);
}

async function insertSettings(tx: Tx): Promise<void> {
  const rows = Object.entries(company.rates).map(([name, rate]) => ({
    user_id: null,
    name: `commission.${name}`,
    value: JSON.stringify(rate),
  }));
  await tx.insertInto('settings').values(rows).execute();
}

/** By what the name of a dealership says (product.md section 4, Commission). */
function rateOf(place: number): number {
  const name = company.dealerships[place]![0].toLowerCase();
  if (name.includes('new')) return company.rates.newSales;
  return name.includes('used') ? company.rates.usedSales : company.rates.defaultSales;
}

type Ids = Record<'people' | 'dealerships' | 'items', readonly string[]>;

async function insertDeals(tx: Tx, clock: Clock, ids: Ids): Promise<void> {
  const statuses = new Map(
    (await tx.selectFrom('statuses').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
  );
  const rows = demoDeals(repeatable(20), clock.now()).map((deal) => ({ id: newId(), deal }));
  for (let begin = 0; begin < rows.length; begin += AT_ONCE) {
    const some = rows.slice(begin, begin + AT_ONCE);
    await tx
      .insertInto('deals')
      .values(some.map(({ id, deal }) => rowOf(id, deal, clock, ids, statuses)))
      .execute();
    const sold = some.flatMap(({ id, deal }) =>
      deal.sold.map(({ item, quantity }, position) => ({
        deal_id: id,
        position,
        item_id: ids.items[item]!,
        name: company.items[item]![0],
        quantity,
        unit_price: company.items[item]![2],
      })),
    );
    await tx.insertInto('deal_items').values(sold).execute();
  }
}

function rowOf(id: string, deal: DemoDeal, clock: Clock, ids: Ids, statuses: ReadonlyMap<string, string>) {
  const sum = (column: 2 | 3): number =>
    deal.sold.reduce((total, { item, quantity }) => total + company.items[item]![column] * quantity, 0);
  const owner = ids.people[deal.person]!;
  const changedAt = deal.closedAt ?? deal.createdAt;
  return {
    id,
    status_id: statuses.get(deal.status)!,
    dealership_id: ids.dealerships[deal.dealership]!,
    customer_name: deal.customerName,
    customer_number: deal.customerNumber,
    deal_number: deal.dealNumber,
    vehicle: deal.vehicle,
    follow_up_at: deal.followUpAt,
    sale_amount: sum(2),
    cost_amount: sum(3),
    commission_rate: rateOf(deal.dealership),
    month: clock.businessMonth(deal.createdAt),
    owner_id: owner,
    created_by: owner,
    updated_by: owner,
    created_at: deal.createdAt,
    updated_at: changedAt,
    closed_at: deal.closedAt,
  };
}
