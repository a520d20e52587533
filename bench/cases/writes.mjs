// Writing cases. Each change is to another row, so that clients contend for the server and not for a lock.
import { randomUUID } from 'node:crypto';
import { attemptUpdates } from '../../server/src/features/deals/write/change-deals.queries.ts';
import { statementsOf, wholeScope } from '../limit.mjs';
import { requestOnce, requestOf } from '../load.mjs';

const UPDATE = `update deals set notes = $2, version = version + 1, field_versions = field_versions || $3::jsonb,
  updated_at = now(), updated_by = $4 where id = $1 returning id, version`;
const INSERT = `insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by,
  commission_rate) values ($1, $2, $3, $4, $5, $6, $6, $6, 0) returning *`;
const BULK = `update deals set status_id = $2, version = version + 1, updated_at = now(), updated_by = $3
  where id = any($1::uuid[]) returning id, version`;
const IMPORT = `insert into deals (id, status_id, dealership_id, customer_name, deal_number, sale_amount, month, owner_id,
  created_by, updated_by, commission_rate)
  select gen_random_uuid(), $2, "dealershipId", "customerName", "dealNumber", "saleAmount", $3, $4, $4, $4, 0
  from jsonb_to_recordset($1::jsonb)
    as rows ("dealershipId" uuid, "customerName" text, "dealNumber" text, "saleAmount" numeric) returning id`;
/** The audit entries that the product writes with it, measured beside the goal. */
const BULK_AUDIT = `with changed as (${BULK}) insert into audit_entries
  (actor_id, actor_name, ip, request_id, action, entity, record_id, version, before, after)
  select $3, 'Ada', '127.0.0.1', 'bench', 'deal.updated', 'deal', id, version,
    jsonb_build_object('status', 'Entered'), jsonb_build_object('status', 'Called') from changed returning record_id`;

/** Makes each text unique: writing the stored value again would be no write. */
let texts = 0;
const newText = () => `Rang back, try ${(texts += 1)}`;

/** Returns this many random rows of any month, by phone number, which has an index. */
const someRows = (company, count) =>
  company.inDatabase((db) =>
    db
      .selectFrom('deals')
      .select(['id', 'version'])
      .where('deleted_at', 'is', null)
      .orderBy('customer_number')
      .limit(count)
      .execute(),
  );

const statusIds = async (company) =>
  await company.inDatabase((db) =>
    db.selectFrom('statuses').select(['id', 'name']).orderBy('position').execute(),
  );

/** The bare update: the minimum cost of writing a row. */
const bareUpdate = ({ adminId }) => ({
  statements: [UPDATE],
  valuesFor(row) {
    row.version += 1;
    return [row.id, newText(), JSON.stringify({ notes: row.version }), adminId];
  },
});

/**
 * The statements that the product sends for a change: the update with its conditions, its audit entry, and the whole
 * row.
 */
async function ownUpdate(company, first) {
  const change = {
    id: first.id,
    actor: {
      viewer: { userId: company.adminId, name: 'Ada' },
      origin: { requestId: 'bench', ip: '127.0.0.1', userAgent: '' },
    },
    userId: company.adminId,
    role: 'admin',
    seen: first.version++,
    movesTo: null,
    values: { notes: newText() },
  };
  const { statements, values } = await statementsOf(company, (db) =>
    attemptUpdates(db, wholeScope, [change]),
  );
  const at = values[0].findIndex((value) => String(value).startsWith('[{'));
  const [sent] = JSON.parse(values[0][at]);
  return {
    statements,
    valuesFor(row) {
      const notes = newText();
      const one = { ...sent, id: row.id, seen: row.version++, notes, after: { notes } };
      return values[0].with(at, JSON.stringify([one]));
    },
  };
}

const edit = (clients, { name, title, goal, limitOf }) => ({
  name,
  title,
  goal,
  ...(goal !== undefined && { growth: 1.3 }),
  clients,
  async prepare(company) {
    const rows = await someRows(company, 5000);
    let turn = 0;
    const next = () => rows[turn++ % rows.length];
    const first = next();
    const patch = (row) => ({ version: row.version++, notes: newText() });
    const request = (row) =>
      requestOf('PATCH', `/api/deals/${row.id}`, { token: company.token, body: patch(row) });
    const bytes = (await requestOnce(company.port, request(first))).length;
    const { statements, valuesFor } = await limitOf(company, first);
    return {
      product: () => request(next()),
      limit: { statements, bytes },
      limitRequest: () => requestOf('POST', '/', { body: [valuesFor(next())] }),
    };
  },
});

const edits = (clients, goal) => [
  edit(clients, {
    name: `edit-${clients}`,
    title: `change one cell, durable, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    goal,
    limitOf: bareUpdate,
  }),
  edit(clients, {
    name: `edit-${clients}-own`,
    title: 'the same; the limit runs the statement of the product',
    limitOf: ownUpdate,
  }),
];

const insert = {
  name: 'insert',
  title: 'insert a row, 16 clients',
  goal: 1.6,
  growth: 1.3,
  clients: 16,
  async prepare(company) {
    const [{ id: statusId }] = await statusIds(company);
    const { adminId, dealershipId, month } = company;
    const body = { dealershipId, customerName: 'Ann Example' };
    const request = requestOf('POST', '/api/deals', { token: company.token, body });
    const bytes = (await requestOnce(company.port, request)).length;
    return {
      product: () => request,
      limit: { statements: [INSERT], bytes },
      limitRequest: () =>
        requestOf('POST', '/', {
          body: [[randomUUID(), statusId, dealershipId, 'Ann Example', month, adminId]],
        }),
    };
  },
};

const IMPORTED = 10_000;

const importing = {
  name: 'import',
  title: 'import of 10,000 rows in one call, rows',
  goal: 1.6,
  clients: 1,
  each: IMPORTED,
  async prepare(company) {
    const [{ id: statusId }] = await statusIds(company);
    const { adminId, dealershipId, month } = company;
    const rows = Array.from({ length: IMPORTED }, (_, row) => ({
      dealershipId,
      customerName: 'Ann Example',
      dealNumber: `I-${row}`,
      saleAmount: row,
    }));
    const request = requestOf('POST', '/api/deals/import', { token: company.token, body: { rows } });
    const bytes = (await requestOnce(company.port, request)).length;
    const limitRequest = requestOf('POST', '/', { body: [[JSON.stringify(rows), statusId, month, adminId]] });
    return {
      product: () => request,
      limit: { statements: [IMPORT], bytes },
      limitRequest: () => limitRequest,
    };
  },
};

const bulk = (statement, name, title, goal) => ({
  name,
  title,
  goal,
  clients: 1,
  each: 1000,
  async prepare(company) {
    const ids = (await someRows(company, 1000)).map(({ id }) => id);
    const [, called, , refused] = await statusIds(company);
    let turn = 0;
    const next = () => (turn++ % 2 ? called : refused);
    const request = () =>
      requestOf('POST', '/api/deals/bulk/status', {
        token: company.token,
        body: { ids, status: next().name },
      });
    const bytes = (await requestOnce(company.port, request())).length;
    return {
      product: request,
      limit: { statements: [statement], bytes },
      limitRequest: () => requestOf('POST', '/', { body: [[ids, next().id, company.adminId]] }),
    };
  },
});

const signIn = {
  name: 'sign-in',
  title: 'sign in, 4 clients',
  goal: 1.3,
  clients: 4,
  async prepare(company) {
    const { people, password } = company;
    let turn = 0;
    const next = () => people[turn++ % people.length];
    const request = () => requestOf('POST', '/api/auth/login', { body: { email: next().email, password } });
    const bytes = (await requestOnce(company.port, request())).length;
    return {
      product: request,
      limit: {
        statements: [
          'select users.id, passwords.hash from users join passwords on passwords.user_id = users.id where email = $1',
          `insert into sessions (id, token_hash, user_id, user_agent, ip, expires_at)
            values ($1, $2, $3, 'bench', '127.0.0.1', now() + interval '12 hours')`,
        ],
        bytes,
        password,
      },
      limitRequest() {
        const { id, email } = next();
        const session = randomUUID();
        return requestOf('POST', '/', {
          body: [[email], [session, `\\x${session.replaceAll('-', '')}`, id]],
        });
      },
    };
  },
};

export const writes = [
  ...edits(1, 1.3),
  ...edits(16, 1.6),
  insert,
  bulk(BULK, 'bulk', 'status of 1,000 rows in one call, rows', 3),
  bulk(BULK_AUDIT, 'bulk-audit', 'the same; the limit writes audit entries too, rows', undefined),
  signIn,
  // Last, because it makes the table larger.
  importing,
];
