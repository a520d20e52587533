import { sql, type SqlBool } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { prepared } from './prepared.ts';

const database = await testDatabase();
afterAll(() => database.close());

type Values = { from: number; less: { than: number | null; except: readonly number[] } };

let built = 0;
const numbers = prepared((db, { from, less }: Values, form: 'asc' | 'desc') => {
  built += 1;
  return db
    .selectFrom(sql<{ n: number }>`generate_series(0, 9)`.as<'numbers'>(sql`numbers (n)`))
    .where('n', '>=', from)
    .$if(less.than !== null, (query) => query.where('n', '<', less.than!))
    .$if(less.except.length > 0, (query) => query.where(sql<SqlBool>`n <> all(${less.except}::integer[])`))
    .orderBy('n', form)
    .select('n');
});
const read = async (from: number, than: number | null, except: number[], form: 'asc' | 'desc' = 'asc') =>
  (await numbers(database.db, { from, less: { than, except } }, form)).map(({ n }) => n);

test('a prepared statement compiles once for each form, and sends the values of each call', async () => {
  built = 0;
  expect(await read(5, 8, [6])).toEqual([5, 7]);
  expect(await read(2, 5, [3, 4])).toEqual([2]);
  expect(await read(1, 4, [2])).toEqual([1, 3]);
  expect(built).toBe(1);
});

test('a prepared statement treats an absent condition, and each value of `form`, as another form', async () => {
  built = 0;
  expect(await read(7, null, [])).toEqual([7, 8, 9]);
  expect(await read(8, null, [])).toEqual([8, 9]);
  expect(await read(7, null, [8])).toEqual([7, 9]);
  expect(await read(7, 9, [])).toEqual([7, 8]);
  expect(await read(7, null, [], 'desc')).toEqual([9, 8, 7]);
  expect(await read(0, 2, [])).toEqual([0, 1]);
  expect(built).toBe(5);
});

test('a prepared statement passes concurrent calls their own values', async () => {
  const responses = await Promise.all([3, 4, 5, 6].map((from) => read(from, 8, [7])));
  expect(responses).toEqual([[3, 4, 5, 6], [4, 5, 6], [5, 6], [6]]);
});
