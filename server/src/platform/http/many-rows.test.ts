import { setImmediate as setImmediateLater } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import type { Db } from '../db/database.ts';
import { readRows, startEach } from './many-rows.ts';

const noTransaction = { db: { isTransaction: false } as Db };

const rowsOf = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

test('the reader of many rows lets other requests run after every 20 rows', async () => {
  let read = 0;
  const readAtTurns: number[] = [];
  const count = (): void => {
    readAtTurns.push(read);
    if (read < 100) setImmediate(count);
  };
  setImmediate(count);
  await readRows(noTransaction, 'rows', rowsOf(100), (row) => {
    read += 1;
    return row;
  });
  expect([...new Set(readAtTurns)]).toEqual([20, 40, 60, 80, 100]);
});

test('the reader of many rows returns the rows in their order', async () => {
  expect(await readRows(noTransaction, 'rows', rowsOf(50), (row) => row)).toEqual(rowsOf(50));
});

test('the reader of many rows names 1,000 errors, unknown fields included, and reads no row after them', async () => {
  let read = 0;
  const keys = Array.from({ length: 150 }, (_, number) => `key${number}`);
  const unknown = { message: '', code: 'unrecognized_keys', keys };
  const refused = readRows(noTransaction, 'rows', rowsOf(5000), () => {
    read += 1;
    return {
      issues: [
        { ...unknown, path: [] },
        { ...unknown, path: ['items', 0] },
      ],
    };
  });
  const error = await refused.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('not checked') });
  const { errors } = (error as { details: { errors: Record<string, string> } }).details;
  expect(Object.keys(errors)).toHaveLength(1000);
  expect(errors['rows.9.key99']).toBe('Unknown field');
  expect(read).toBe(11);
});

test('work on many rows fails with the error of one, which came before a pause, when the work on all others has ended', async () => {
  let ended = 0;
  const works = startEach(noTransaction, rowsOf(50), async ({ number }) => {
    if (number === 3) throw new Error('row 3 failed');
    for (let turn = 0; turn < 10; turn += 1) await setImmediateLater();
    ended += 1;
  });
  await expect(works).rejects.toThrow('row 3 failed');
  expect(ended).toBe(49);
  expect(await startEach(noTransaction, rowsOf(50), async (row) => row)).toEqual(rowsOf(50));
});

test('a transaction runs statements while the rows of an import are read, so that it is never idle for long', async () => {
  const server = await testApp();
  const statementAt = async (pid: number) =>
    (await sql`select query_start from pg_stat_activity where pid = ${pid}`.execute(server.db)).rows;
  await server.db.transaction().execute(async (db) => {
    const { pid } = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!;
    const before = await statementAt(pid);
    const end = performance.now() + 101;
    await readRows({ db }, 'rows', rowsOf(20), (row) => {
      while (performance.now() < end);
      return row;
    });
    expect(await statementAt(pid)).not.toEqual(before);
  });
  await server.close();
});
