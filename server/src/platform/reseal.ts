import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import type { Secrets } from './secrets.ts';

export type Rotation = { tx: Tx; from: Secrets; to: Secrets };

/** Number of values encrypted with the new key, and the places of values that the former key does not decrypt. */
type Resealed = { sealed: number; unreadable: string[] };

/** Encrypts all values with the new key. Values that the former key cannot decrypt stay unchanged. */
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
      // Encrypted values are unique, so they identify the row.
      await sql`update ${table} set ${column} = ${to.seal(plain, { ...place, recordId })}
        where ${column} = ${value}`.execute(tx);
      total.sealed += 1;
    }
  }
  return total;
}
