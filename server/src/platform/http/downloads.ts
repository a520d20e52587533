import { Readable } from 'node:stream';
import type { DownloadTicket } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import { secondsFromNow } from '../db/database.ts';
import { newToken, tokenHash } from '../ids.ts';
import type { Context, Viewer } from './context.ts';
import { AppError } from './errors.ts';
import { requireOpen } from './open-calls.ts';
import type { RoutePolicy } from './policy.ts';

const TICKET_SECONDS = 60;

/** A file to send. `open` is called once, when the response begins. */
export type Download = {
  name: string;
  /** Undefined if not known in advance. */
  size?: number;
  type: string;
  open(): Readable | Promise<Readable>;
};

/**
 * Streams a file of this size that is stored in chunks. `read` returns a chunk by its index, or undefined if the file
 * was removed or moved in the meantime; `readFrom` returns the rest of a moved file.
 */
export function readInChunks(
  size: number,
  read: (position: number) => Promise<Buffer | undefined>,
  readFrom: (start: number) => Promise<Readable | undefined> = async () => undefined,
): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    let sent = 0;
    for (let position = 0; sent < size; position += 1) {
      const chunk = await read(position);
      if (!chunk) {
        const rest = await readFrom(sent);
        // Aborts the response instead of truncating it, because the browser knows the expected length.
        if (!rest) throw new Error('The file was removed while it was downloaded');
        yield* rest;
        return;
      }
      sent += chunk.length;
      yield chunk;
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** A kind of file: its policy, which is that of the route that issues the tickets, and a function that opens it. */
type Kind = { allow: RoutePolicy; open(ctx: Context, recordId: string): Promise<Download> };

export type Downloads = ReturnType<typeof createDownloads>;

/**
 * Download tickets (docs/product/api.md, Uploads and downloads): a single-use URL for one file, valid for 60 s, so that
 * the browser streams it to disk without the session's header. Stored as SHA-256, and valid on every instance while the
 * session is live.
 */
export function createDownloads(
  sessions: { viewerOf(sessionId: string): Promise<Viewer> },
  kinds: Record<string, Kind>,
) {
  return {
    async ticketFor(ctx: Context, kind: string, recordId: string): Promise<DownloadTicket> {
      const ticket = newToken();
      await ctx.db
        .deleteFrom('download_tickets')
        .where('expires_at', '<', sql<string>`now()`)
        .execute();
      const { expires_at } = await ctx.db
        .insertInto('download_tickets')
        .values({
          ticket_hash: tokenHash(ticket),
          session_id: ctx.viewer.sessionId,
          kind,
          record_id: recordId,
          expires_at: secondsFromNow(TICKET_SECONDS),
        })
        .returning('expires_at')
        .executeTakeFirstOrThrow();
      return { url: `/api/downloads/${ticket}`, expiresAt: expires_at };
    },

    /** Throws NOT_FOUND if the ticket is unknown, used or expired, or its user may no longer read the file. */
    async redeem(ctx: Context<Viewer | null>, ticket: string): Promise<Download> {
      const row = await ctx.db
        .deleteFrom('download_tickets')
        .where('ticket_hash', '=', tokenHash(ticket))
        .returning(['kind', 'record_id', 'session_id', sql<boolean>`expires_at > now()`.as('isValid')])
        .executeTakeFirst();
      const kind = row?.isValid ? kinds[row.kind] : undefined;
      if (!row || !kind) throw new AppError('NOT_FOUND');
      const viewer = await sessions.viewerOf(row.session_id).catch(() => undefined);
      if (!viewer || kind.allow.allows?.(viewer) !== true) throw new AppError('NOT_FOUND');
      requireOpen(viewer, undefined);
      return kind.open({ ...ctx, viewer }, row.record_id);
    },
  };
}
