import { expect, test } from 'vitest';
import { readRows } from './many-rows.ts';

const rowsOf = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

test('lets other requests run after every 20 rows', async () => {
  let read = 0;
  const readAtTurns: number[] = [];
  const count = (): void => {
    readAtTurns.push(read);
    if (read < 100) setImmediate(count);
  };
  setImmediate(count);
  await readRows('rows', rowsOf(100), (row) => {
    read += 1;
    return row;
  });
  expect([...new Set(readAtTurns)]).toEqual([20, 40, 60, 80, 100]);
});

test('returns the rows in their order', async () => {
  expect(await readRows('rows', rowsOf(50), (row) => row)).toEqual(rowsOf(50));
});

test('names 1,000 errors, unknown fields included, and reads no row after them', async () => {
  let read = 0;
  const keys = Array.from({ length: 150 }, (_, number) => `key${number}`);
  const unknown = { message: '', code: 'unrecognized_keys', keys };
  const refused = readRows('rows', rowsOf(5000), () => {
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
