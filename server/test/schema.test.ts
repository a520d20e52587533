import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientConfig } from '../src/platform/db/database.ts';
import { snapshot } from '../src/platform/db/snapshot.ts';
import { testDatabase, type TestDatabase } from './database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client(clientConfig(database.connection));
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

// `npm run schema` writes both files anew after a new migration.
test('schema.sql and the types of the tables are what the migrations result in', async () => {
  const { sql, types } = await snapshot(client);
  await expect(sql).toMatchFileSnapshot('../schema.sql');
  await expect(types).toMatchFileSnapshot('../src/platform/db/schema.generated.ts');
});
