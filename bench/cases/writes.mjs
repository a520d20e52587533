// Writing cases. Each change is to another row, so that clients contend for the server and not for a lock.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { drive, newKey, requestOnce, requestOf } from '../load.mjs';

const UPDATE = `update deals set notes = $3, version = version + 1, updated_at = now(), updated_by = $4
  where id = $1 and version = $2 returning id, version`;
const INSERT = `insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by,
  commission_rate) values ($1, $2, $3, $4, $5, $6, $6, $6, 0) returning id, version`;
const BULK = `update deals set status_id = $2, version = version + 1, updated_at = now(), updated_by = $3
  where id = any($1::uuid[]) returning id, version`;
const IMPORT = `insert into deals (id, status_id, dealership_id, customer_name, deal_number, sale_amount, month, owner_id,
  created_by, updated_by, commission_rate)
  select gen_random_uuid(), $2, "dealershipId", "customerName", "dealNumber", "saleAmount", month, $3, $3, $3, 0
  from jsonb_to_recordset($1::jsonb) as rows
    ("dealershipId" uuid, "customerName" text, "dealNumber" text, "saleAmount" numeric, month text) returning id`;

/** The rows that are changed in turn. */
const ROWS = 5000;

/** A table counts as used after this many changes. */
const USED = 20_000;

/** Removes the dead rows of earlier cases and rounds. */
const vacuum = (company) => company.inDatabase((db) => sql`vacuum deals, lean.deals`.execute(db));

/** Makes each text unique, because writing the stored value again would be no write. */
let texts = 0;
const newText = () => `Rang back, try ${(texts += 1)}`;

/** Returns this many random rows of any month of a table of deals, by phone number. */
const someRows = (company, count, schema = 'forecourt') =>
  company.inDatabase((db) =>
    db
      .withSchema(schema)
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

/**
 * Returns requests that each change a cell of another row, as the page sends them
 * (web/src/features/deals/sync/unsaved-work.ts).
 */
export async function changesOf(company) {
  const rows = await someRows(company, ROWS);
  let turn = 0;
  const nextRow = () => rows[turn++ % rows.length];
  const request = (row, encodings) =>
    requestOf('PATCH', `/api/deals/${row.id}`, {
      token: company.token,
      key: newKey(),
      changeSet: 'edit',
      body: { notes: newText(), version: row.version++ },
      encodings,
    });
  return { nextRow, request };
}

const edit = ({ clients, isUsed = false, ...rest }) => ({
  name: `edit-${clients}${isUsed ? '-used' : ''}`,
  title: `change one cell, ${clients} ${clients === 1 ? 'client' : 'clients'}${
    isUsed ? `, after ${USED.toLocaleString('en-AU')} changes without a vacuum` : ''
  }`,
  ...rest,
  clients,
  async prepare(company) {
    const { nextRow, request } = await changesOf(company);
    const product = () => request(nextRow());
    const bytes = (await requestOnce(company.port, request(nextRow(), ''))).length;
    if (isUsed) await drive({ port: company.port, clients: 16, requests: USED, next: product });
    return {
      product,
      async limitOn(schema) {
        // The versions of another table are not those that the product has set.
        const rows = schema === 'lean' ? await someRows(company, ROWS, schema) : undefined;
        let turn = 0;
        const next = () => {
          const row = rows ? rows[turn++ % ROWS] : nextRow();
          return requestOf('POST', '/', { body: [[row.id, row.version++, newText(), company.adminId]] });
        };
        return { statements: [UPDATE], bytes, next };
      },
      ...(!isUsed && { beforeRound: () => vacuum(company) }),
    };
  },
});

const insert = {
  name: 'insert',
  title: 'insert a row, 16 clients',
  goal: 1.4,
  growth: 1.3,
  isMain: true,
  clients: 16,
  async prepare(company) {
    const { token, dealershipId, month } = company;
    const body = { dealershipId, customerName: 'Ann Example', month };
    const request = (encodings) =>
      requestOf('POST', '/api/deals', { token, key: newKey(), changeSet: 'edit', body, encodings });
    const bytes = (await requestOnce(company.port, request(''))).length;
    const plain = await plainInsert(company, bytes);
    return { product: () => request(), limitOn: () => plain };
  },
};

/** A row typed into the last line of Data Entry (`create` in web/src/features/deals/sync/unsaved-work.ts). */
const newRow = {
  name: 'new-row',
  title: 'a new row as the page sends it, 16 clients',
  goal: 1.2,
  isMain: true,
  clients: 16,
  async prepare(company) {
    const { token, dealershipId, month } = company;
    const deal = { customerName: 'Ann Example', dealershipId, month };
    const request = (encodings) =>
      requestOf('POST', '/api/deals/bulk/create', {
        token,
        changeSet: 'edit',
        body: { rows: [{ key: newKey(), deal }] },
        encodings,
      });
    const response = await requestOnce(company.port, request(''));
    const [{ refusal }] = JSON.parse(response).items;
    if (refusal) throw new Error(refusal.message);
    const plain = await plainInsert(company, response.length);
    return { product: () => request(), limitOn: () => plain };
  },
};

async function plainInsert(company, bytes) {
  const [{ id: statusId }] = await statusIds(company);
  const { adminId, dealershipId, month } = company;
  const next = () =>
    requestOf('POST', '/', {
      body: [[randomUUID(), statusId, dealershipId, 'Ann Example', month, adminId]],
    });
  return { statements: [INSERT], bytes, next };
}

const IMPORTED = 10_000;

const importing = {
  name: 'import',
  title: 'import of 10,000 rows in one call, rows',
  goal: 1.5,
  isMain: true,
  clients: 1,
  each: IMPORTED,
  async prepare(company) {
    const [{ id: statusId }] = await statusIds(company);
    const { token, adminId, dealershipId, month } = company;
    const rows = Array.from({ length: IMPORTED }, (_, row) => ({
      customerName: 'Ann Example',
      dealNumber: `I-${row}`,
      saleAmount: row,
      month,
      dealershipId,
    }));
    const body = JSON.stringify({ rows });
    const request = (encodings) =>
      requestOf('POST', '/api/deals/import', {
        token,
        key: newKey(),
        changeSet: `import ${newKey()}`,
        body,
        encodings,
      });
    const bytes = (await requestOnce(company.port, request(''))).length;
    const limitRequest = requestOf('POST', '/', { body: [[JSON.stringify(rows), statusId, adminId]] });
    return {
      product: () => request(),
      limitOn: () => ({ statements: [IMPORT], bytes, next: () => limitRequest }),
    };
  },
};

const bulk = {
  name: 'bulk',
  title: 'status of 1,000 rows in one call, rows',
  goal: 1.3,
  isMain: true,
  clients: 1,
  each: 1000,
  async prepare(company) {
    const ids = (await someRows(company, 1000)).map(({ id }) => id);
    const [, called, , refused] = await statusIds(company);
    let turn = 0;
    const next = () => (turn++ % 2 ? called : refused);
    const request = (encodings) =>
      requestOf('POST', '/api/deals/bulk/status', {
        token: company.token,
        key: newKey(),
        changeSet: `bulk ${newKey()}`,
        body: { ids, status: next().name },
        encodings,
      });
    const bytes = (await requestOnce(company.port, request(''))).length;
    return {
      product: () => request(),
      limitOn: () => ({
        statements: [BULK],
        bytes,
        next: () => requestOf('POST', '/', { body: [[ids, next().id, company.adminId]] }),
      }),
    };
  },
};

const REVERTED = 10_000;

/** Sets the status of 10,000 rows as one change set. Returns its id, and those of as many other rows, if there are. */
export async function makeChangeSet({ port, token, ...company }) {
  const rows = (await someRows(company, 2 * REVERTED)).map(({ id }) => id);
  const ids = rows.slice(0, REVERTED);
  // The second one changes all rows.
  for (const { name } of (await statusIds(company)).slice(0, 2))
    await requestOnce(
      port,
      requestOf('POST', '/api/deals/bulk/status', {
        token,
        key: newKey(),
        changeSet: `bulk ${newKey()}`,
        body: { ids, status: name },
      }),
    );
  const sets = await requestOnce(port, requestOf('GET', '/api/changes?kind=bulk&limit=1', { token }));
  return { id: JSON.parse(sets).items[0]._id, others: rows.slice(REVERTED) };
}

/** Takes back a change set, then that revert, and so on. */
const reverting = {
  name: 'revert',
  title: 'revert of 10,000 rows in one call, rows',
  growth: 1.5,
  seconds: 5,
  clients: 1,
  each: REVERTED,
  async prepare(company) {
    const { id, others } = await makeChangeSet(company);
    const [{ id: statusId }, { id: otherStatusId }] = await statusIds(company);
    let last = id;
    const request = (encodings) =>
      requestOf('POST', `/api/changes/${last}/revert`, { token: company.token, body: {}, encodings });
    const receive = ({ changeSetId, reverted }) => {
      if (reverted !== REVERTED) throw new Error(`${reverted} rows were taken back`);
      last = changeSetId;
    };
    const response = await requestOnce(company.port, request(''));
    receive(JSON.parse(response));
    let turn = 0;
    return {
      product: () => ({ request: request(), receive }),
      limitOn: () => ({
        statements: [BULK],
        bytes: response.length,
        // Not the rows of the set: a revert leaves what was changed since.
        next: () =>
          requestOf('POST', '/', {
            body: [[others, turn++ % 2 ? statusId : otherStatusId, company.adminId]],
          }),
      }),
    };
  },
};

const signIn = {
  name: 'sign-in',
  title: 'sign in, 4 clients',
  goal: 1.4,
  isMain: true,
  clients: 4,
  async prepare(company) {
    const { people, password } = company;
    let turn = 0;
    const next = () => people[turn++ % people.length];
    const request = (encodings) =>
      requestOf('POST', '/api/auth/login', { body: { email: next().email, password }, encodings });
    const bytes = (await requestOnce(company.port, request(''))).length;
    return {
      product: () => request(),
      limitOn: () => ({
        statements: [
          'select users.id, passwords.hash from users join passwords on passwords.user_id = users.id where email = $1',
          `insert into sessions (id, token_hash, user_id, user_agent, ip, expires_at)
            values ($1, $2, $3, 'bench', '127.0.0.1', now() + interval '12 hours')`,
        ],
        bytes,
        password,
        next() {
          const { id, email } = next();
          const session = randomUUID();
          return requestOf('POST', '/', {
            body: [[email], [session, `\\x${session.replaceAll('-', '')}`, id]],
          });
        },
      }),
    };
  },
};

export const writes = [
  edit({ clients: 1, goal: 2.2, growth: 1.3, isMain: true }),
  edit({ clients: 16, goal: 1.5, growth: 1.3, isMain: true }),
  edit({ clients: 1, goal: 2.2, isUsed: true }),
  edit({ clients: 16, goal: 1.5, isUsed: true }),
  insert,
  newRow,
  bulk,
  reverting,
  signIn,
  // Runs last, because it makes the table larger.
  importing,
];
