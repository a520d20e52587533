import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import type { Secrets } from './secrets.ts';

/** A change of the key. */
export type Rotation = { tx: Tx; from: Secrets; to: Secrets };

/** The number of values sealed with the new key, and the places of those that the former key does not decrypt. */
type Resealed = { sealed: number; unreadable: string[] };

/** Seals all values with the new key. One that cannot be decrypted stays as it is; without the former key, none can. */
export async function resealColumns({
  tx,
  from,
  to,
}: Omit<Rotation, 'from'> & { from: Secrets | undefined }): Promise<Resealed> {
  const total: Resealed = { sealed: 0, unreadable: [] };
  for (const { id, ...place } of SEALED_COLUMNS) {
    const [table, column] = [sql.table(place.table), sql.ref(place.column)];
    const { rows } = await sql<{ recordId: string; value: string }>`
      select ${sql.raw(id)} as "recordId", ${column} as value from ${table}
      where ${column} is not null order by 1`.execute(tx);
    for (const { recordId, value } of rows) {
      const plain = from?.open(value, { ...place, recordId }) ?? null;
      if (plain === null) {
        total.unreadable.push(`${place.table}.${place.column} of ${recordId}`);
        continue;
      }
      // Sealed values are unique.
      await sql`update ${table} set ${column} = ${to.seal(plain, { ...place, recordId })}
        where ${column} = ${value}`.execute(tx);
      total.sealed += 1;
    }
  }
  return total;
}
