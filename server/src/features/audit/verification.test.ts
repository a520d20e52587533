import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { sealAll } from '../../../test/sealed-entries.ts';
import { clientConfig } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { newId } from '../../platform/ids.ts';
import { SEALING_LOCK } from './sealing.queries.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, admin);
for (const name of ['Ann', 'Bob', 'Cid', 'Dee', 'Eve']) {
  const deal = await addDeal(server, admin, dealershipId, { customerName: name });
  await server.call(`PATCH /deals/${deal._id}`, {
    token: admin.token,
    body: { version: 1, notes: `Rang ${name}` },
  });
  await sealAll(server);
}
const tamperer = new pg.Client(clientConfig(server.connection));
await tamperer.connect();
afterAll(async () => {
  await tamperer.end();
  await server.close();
});

const verify = async (after = '') =>
  (await server.call(`GET /audit-logs/verify${after}`, { token: admin.token })).body;

test('the verification of the audit log reports no problem in an intact log, and returns its end', async () => {
  const response = await verify();
  expect(response).toMatchObject({ problems: [], next: null, otherKey: 0 });
  expect(response.seals).toBeGreaterThanOrEqual(5);
  expect(response.entries).toBeGreaterThanOrEqual(12);
  expect(response.head).toMatchObject({
    seal: String(response.seals),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the verification of the audit log continues after a seal that was verified before', async () => {
  const whole = await verify();
  const rest = await verify('?after=2');
  expect(rest).toMatchObject({ problems: [], seals: whole.seals - 2, head: whole.head });
});

test('several sealing instances seal each entry exactly once beside many writers', async () => {
  const dealershipId = await addDealership(server, admin);
  const writing = Array.from({ length: 40 }, (_, i) =>
    addDeal(server, admin, dealershipId, { customerName: `Writer ${i}` }),
  );
  const sealing = Array.from({ length: 10 }, () => sealAll(server));
  await Promise.all([...writing, ...sealing]);
  await sealAll(server);
  expect(await verify()).toMatchObject({ problems: [], unsealed: 0 });
});

test('the verification of the audit log detects an emptied log also after the program has continued it', async () => {
  const other = await testApp();
  try {
    const { token } = await other.person({ role: 'admin' });
    const write = async () => {
      await addDealership(other, { token }, { name: newId() });
      await sealAll(other);
    };
    await write();
    const tables = ['audit_entries', 'audit_seals', 'audit_seal_entries', 'audit_head', 'audit_redactions'];
    const withTriggers = (does: string) =>
      tables.map((table) => `alter table ${table} ${does} trigger user;`).join('');
    await withClient(other.connection, (client) =>
      client.query(`${withTriggers('disable')} truncate ${tables.join()}; ${withTriggers('enable')}`),
    );
    await write();
    const { body } = await other.call('GET /audit-logs/verify', { token });
    expect(body.problems).toMatchObject([{ kind: 'seal' }]);
  } finally {
    await other.close();
  }
});

describe('the database itself', () => {
  test.each(['audit_entries', 'audit_seals', 'audit_seal_entries', 'audit_redactions'])(
    'the database itself rejects updates, deletes and truncation of %s',
    async (table) => {
      const column = (
        await tamperer.query(
          `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
        )
      ).rows[1].name as string;
      // A table without rows only rejects truncation.
      await tamperer.query('begin');
      await tamperer.query(
        `insert into audit_redactions select id, '\\x00', id from audit_entries where id = 1 on conflict do nothing`,
      );
      for (const statement of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await tamperer.query('savepoint before');
        await expect(tamperer.query(statement), statement).rejects.toThrow('cannot be changed or removed');
        await tamperer.query('rollback to before');
      }
      await tamperer.query('rollback');
    },
  );

  test('the database itself allows redaction of an entry only with a recorded order', async () => {
    const gone = 'update audit_entries set before = null, after = null, salt = null where id = 1';
    await expect(tamperer.query(gone)).rejects.toThrow('cannot be changed');
    await tamperer.query('begin');
    await tamperer.query('insert into audit_redactions values (1, audit_values_digest(null, null, null), 1)');
    for (const more of [", actor_name = 'Eve'", ', created_at = now()', ", action = 'deal.read'"]) {
      await tamperer.query('savepoint before');
      await expect(tamperer.query(gone.replace(' where', `${more} where`))).rejects.toThrow(
        'cannot be changed',
      );
      await tamperer.query('rollback to before');
    }
    await tamperer.query(gone);
    await tamperer.query('rollback');
  });
});

/** Manipulations by an owner of the database, with triggers disabled. `pick` is any number. */
type Tampering = { name: string; pick: number; more: number };
type Id = { id: string };

const FIELDS: Record<string, string> = {
  actor_name: "actor_name || 'x'",
  actor_id: 'gen_random_uuid()',
  created_at: "created_at - interval '1 second'",
  ip: "'10.0.0.1'",
  action: "action || 'x'",
  entity: "entity || 'x'",
  record_id: 'gen_random_uuid()',
  request_id: 'request_id || 1::text',
  version: 'coalesce(version, 0) + 1',
  after: `coalesce(after, '{}') || '{"x":1}'`,
  before: `coalesce(before, '{}') || '{"x":1}'`,
  salt: 'gen_random_uuid()',
};

const COPY = `insert into audit_entries (xid, created_at, actor_name, ip, request_id, action, entity, record_id, before, after)
  overriding system value select xid, created_at, actor_name, ip, request_id, action, entity, record_id, before, after
  from audit_entries where id = $1`;

const run = (statement: string, values: unknown[] = []) => tamperer.query(statement, values);

/** Deletes the newest seals with all their entries. */
async function cutSeals(count: number): Promise<void> {
  const { rows } = await run('select number from audit_seals order by number desc limit $1', [count]);
  const numbers = rows.map(({ number }) => number);
  await run(
    'delete from audit_entries where id in (select entry_id from audit_seal_entries where seal = any($1))',
    [numbers],
  );
  await run('delete from audit_seal_entries where seal = any($1)', [numbers]);
  await run('delete from audit_seals where number = any($1)', [numbers]);
}

const TAMPERINGS: Record<string, (entry: Id, other: Id, more: number) => Promise<unknown>> = {
  'changes a field': ({ id }, _, more) => {
    const [field, value] = Object.entries(FIELDS)[more % Object.keys(FIELDS).length]!;
    return run(`update audit_entries set ${field} = ${value} where id = $1`, [id]);
  },
  'changes a field and the digest beside it': async ({ id }) => {
    await run("update audit_entries set actor_name = 'Eve' where id = $1", [id]);
    await run(
      `update audit_seal_entries set digest = (
        select audit_digest(entry, audit_values_digest(salt, before, after)) from audit_entries as entry where id = $1
      ) where entry_id = $1`,
      [id],
    );
  },
  'removes an entry': ({ id }) => run('delete from audit_entries where id = $1', [id]),
  'removes an entry and its place in the seal': async ({ id }) => {
    await run('delete from audit_entries where id = $1', [id]);
    await run('delete from audit_seal_entries where entry_id = $1', [id]);
  },
  'puts in an entry of long ago': ({ id }) => run(COPY, [id]),
  'puts in an entry and its place in a seal': async ({ id }) => {
    const before = (await run('select max(id) as id from audit_entries')).rows[0].id;
    await run(COPY, [id]);
    await run(
      `insert into audit_seal_entries select id, 1, audit_digest(entry, audit_values_digest(salt, before, after))
       from audit_entries as entry where id > $1`,
      [before],
    );
  },
  'exchanges two entries': ({ id }, other) => {
    const all = Object.keys(FIELDS).join();
    return run(
      `update audit_entries as here set (${all}) = (
        select ${all} from audit_entries as there where there.id = $1::bigint + $2::bigint - here.id
      ) where id in ($1, $2)`,
      [id, other.id],
    );
  },
  'exchanges two seals': async () => {
    await run('update audit_seals set number = -1 where number = 1');
    await run('update audit_seals set number = 1 where number = 2');
    await run('update audit_seals set number = 2 where number = -1');
  },
  'moves an entry to another seal': ({ id }) =>
    run('update audit_seal_entries set seal = case seal when 1 then 2 else 1 end where entry_id = $1', [id]),
  'cuts off the newest entries': async (_, __, more) =>
    run(
      'delete from audit_entries where id in (select entry_id from audit_seal_entries order by 1 desc limit $1)',
      [1 + (more % 3)],
    ),
  'cuts off the newest entries with their seals': (_, __, more) => cutSeals(1 + (more % 3)),
  'cuts off the newest entries, their seals and the signed end': async (_, __, more) => {
    await cutSeals(1 + (more % 3));
    await run('delete from audit_head');
  },
  'cuts off the end and signs with the signature of the seal before': async () => {
    await cutSeals(1);
    await run(`update audit_head set (number, hash, signature) =
      (select number, hash, signature from audit_seals order by number desc limit 1)`);
  },
  'removes a seal from the middle': () => run('delete from audit_seals where number = 3'),
  'empties everything': () => run('truncate audit_entries, audit_seals, audit_seal_entries'),
  'empties everything, and the signed end with it': () =>
    run('truncate audit_entries, audit_seals, audit_seal_entries, audit_head, audit_redactions'),
  'redacts without an order': async ({ id }, other) => {
    await run(
      `insert into audit_redactions select id, audit_values_digest(salt, before, after), $2 from audit_entries where id = $1`,
      [id, other.id],
    );
    await run('update audit_entries set before = null, after = null, salt = null where id = $1', [id]);
  },
  'writes over values that it says are redacted': async ({ id }, other) => {
    await run(
      `insert into audit_redactions select id, audit_values_digest(salt, before, after), $2 from audit_entries where id = $1`,
      [id, other.id],
    );
    await run(`update audit_entries set after = '{"x":1}' where id = $1`, [id]);
  },
  'makes a seal of its own': async () => {
    await run(`insert into audit_seals select number + 1, now(), horizon, entries, sha256(hash), signature, key_id
      from audit_seals order by number desc limit 1`);
  },
};

describe('tampering by the owner of the database', () => {
  let ids: Id[];
  beforeAll(async () => {
    // A transaction in another database of the cluster holds back the horizon that classifies old entries.
    const dealershipId = await addDealership(server, admin);
    do {
      await addDeal(server, admin, dealershipId);
      await sealAll(server);
      const { rows } =
        await run(`select entry_id as id from audit_seal_entries join audit_entries on id = entry_id
        where xid < (select horizon from audit_seals order by number desc limit 1) order by 1`);
      ids = rows;
    } while (ids.length < 12);
    // Nothing is sealed during the test: each manipulation is rolled back.
    await run('select pg_advisory_lock($1)', [SEALING_LOCK]);
  });

  /** Manipulates, verifies, and rolls everything back. */
  async function found({ name, pick, more }: Tampering): Promise<boolean> {
    const tables = ['audit_entries', 'audit_seals', 'audit_seal_entries', 'audit_head', 'audit_redactions'];
    for (const table of tables) {
      await run(`create temporary table kept_${table} as table ${table}`);
      await run(`alter table ${table} disable trigger user`);
    }
    try {
      const entry = ids[pick % ids.length]!;
      await TAMPERINGS[name]!(entry, ids[(pick + 1) % ids.length]!, more);
      return (await verify()).problems.length > 0;
    } finally {
      await run(`truncate ${tables.join()}`);
      for (const table of tables) {
        await run(`insert into ${table} overriding system value select * from kept_${table}`);
        await run(`alter table ${table} enable trigger user`);
        await run(`drop table kept_${table}`);
      }
    }
  }

  test.each(Object.keys(TAMPERINGS))('the verification of the audit log detects: %s', async (name) => {
    expect(await found({ name, pick: 4, more: 0 })).toBe(true);
    expect((await verify()).problems).toEqual([]);
  });

  test('the verification of the audit log detects any of them at any place', async () => {
    const tampering = fc.record({
      name: fc.constantFrom(...Object.keys(TAMPERINGS)),
      pick: fc.nat(10_000),
      more: fc.nat(10_000),
    });
    await fc.assert(
      fc.asyncProperty(tampering, async (given) => {
        expect(await found(given)).toBe(true);
      }),
      { numRuns: process.env.LONG_TESTS ? 500 : 40 },
    );
    expect((await verify()).problems).toEqual([]);
  });
});
