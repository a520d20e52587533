import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import type { Secrets } from './secrets.ts';

/** A change of the key; without the former one nothing can be decrypted. */
export type Rotation = { tx: Tx; from: Secrets | undefined; to: Secrets };

/** The numbers of values sealed with the new key, and of those that the former key does not decrypt. */
export type Resealed = { sealed: number; unreadable: number };

/** A column of sealed values. `id` is an SQL expression for the record id of their place. */
export type SealedColumn = { table: string; column: string; id: string };

/** Seals all values of a column with the new key. A value that cannot be decrypted stays as it is. */
async function resealColumn(
  { tx, from, to }: Rotation,
  { table, column, id }: SealedColumn,
): Promise<Resealed> {
  const target = sql.ref(column);
  const { rows } = await sql<{ recordId: string; value: string }>`
    select ${sql.raw(id)} as "recordId", ${target} as value
    from ${sql.table(table)} where ${target} is not null`.execute(tx);
  let sealed = 0;
  for (const { recordId, value } of rows) {
    const place = { table, column, recordId };
    const plain = from?.open(value, place) ?? null;
    if (plain === null) continue;
    // Sealed values are unique.
    await sql`update ${sql.table(table)} set ${target} = ${to.seal(plain, place)}
      where ${target} = ${value}`.execute(tx);
    sealed += 1;
  }
  return { sealed, unreadable: rows.length - sealed };
}

/** Seals all values of these columns with the new key. */
export async function resealColumns(rotation: Rotation, columns: readonly SealedColumn[]): Promise<Resealed> {
  const total = { sealed: 0, unreadable: 0 };
  for (const column of columns) {
    const { sealed, unreadable } = await resealColumn(rotation, column);
    total.sealed += sealed;
    total.unreadable += unreadable;
  }
  return total;
}
