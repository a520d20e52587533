import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { FileRef } from './file-folder.ts';

/** Returns the number of files whose content is in the database. Exports expire instead. */
export async function countUnmoved(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from deal_attachments where digest is null)
      + (select count(*) from email_attachments where digest is null)
      + (select count(*) from template_images where digest is null) as count`.execute(db);
  return rows[0]!.count;
}

/** Whether there is content to move, unless an administrator cancelled the last job of this kind. */
export async function isMoveDue(db: Db, kind: string): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select (exists (select from deal_attachments where digest is null)
      or exists (select from email_attachments where digest is null)
      or exists (select from template_images where digest is null))
      and coalesce((select status <> 'cancelled' from jobs where kind = ${kind} order by created_at desc limit 1), true)
      as "isDue"`.execute(db);
  return rows[0]!.isDue;
}

type Add = (db: Tx, content: Buffer) => Promise<FileRef>;
type Unmoved = { id: string; content: Buffer };

/** Moves the content of one file in a transaction. Returns false if there is none left. */
export const moveNext = (db: Db, add: Add): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const attachment = await first(
      tx,
      sql`
        select id, (
          select string_agg(content, ''::bytea order by position) from deal_attachment_chunks
          where attachment_id = deal_attachments.id
        ) as content
        from deal_attachments where digest is null limit 1 for update skip locked`,
    );
    if (attachment) {
      const { digest } = await add(tx, attachment.content);
      await tx.updateTable('deal_attachments').set({ digest }).where('id', '=', attachment.id).execute();
      await tx.deleteFrom('deal_attachment_chunks').where('attachment_id', '=', attachment.id).execute();
      return true;
    }
    for (const table of ['email_attachments', 'template_images'] as const) {
      const row = await first(
        tx,
        sql`select id, content from ${sql.table(table)} where digest is null limit 1 for update skip locked`,
      );
      if (!row) continue;
      const { digest } = await add(tx, row.content);
      await tx.updateTable(table).set({ digest, content: null }).where('id', '=', row.id).execute();
      return true;
    }
    return false;
  });

const first = async (tx: Tx, query: ReturnType<typeof sql>): Promise<Unmoved | undefined> =>
  (await query.execute(tx)).rows[0] as Unmoved | undefined;
