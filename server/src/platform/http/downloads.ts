import type { Readable } from 'node:stream';
import type { DownloadTicket } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import { newToken, tokenHash } from '../ids.ts';
import type { Sessions } from '../sessions.ts';
import type { Context, Viewer } from './context.ts';
import { AppError } from './errors.ts';
import type { RoutePolicy } from './policy.ts';

const SECONDS = 60;

/** A file on its way to a browser. `open` is called once, when the answer begins. */
export type Download = {
  name: string;
  /** Bytes, where they are known before. */
  size?: number;
  type: string;
  open(): Readable | Promise<Readable>;
};

/** Who may have files of a kind, as on the route that gives out its tickets, and how one is found. */
type Kind = { allow: RoutePolicy; open(ctx: Context, recordId: string): Promise<Download> };

export type Downloads = ReturnType<typeof createDownloads>;

/**
 * Tickets (product.md section 3): a URL for one file, once, for 60 s, so that the browser streams it to disk
 * without the session's header. Kept as SHA-256, and good on every instance while the session lasts.
 */
export function createDownloads(sessions: Pick<Sessions, 'viewerOf'>, kinds: Record<string, Kind>) {
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
          expires_at: sql`now() + make_interval(secs => ${SECONDS})`,
        })
        .returning('expires_at')
        .executeTakeFirstOrThrow();
      return { url: `/api/downloads/${ticket}`, expiresAt: expires_at };
    },

    /** Uses a ticket up. NOT_FOUND when it is unknown, used or too old, or its person may not have the file now. */
    async redeem(ctx: Context<Viewer | null>, ticket: string): Promise<Download> {
      const row = await ctx.db
        .deleteFrom('download_tickets')
        .where('ticket_hash', '=', tokenHash(ticket))
        .returning(['kind', 'record_id', 'session_id', sql<boolean>`expires_at > now()`.as('isGood')])
        .executeTakeFirst();
      const kind = row?.isGood ? kinds[row.kind] : undefined;
      if (!row || !kind) throw new AppError('NOT_FOUND');
      const viewer = await sessions.viewerOf(row.session_id).catch(() => undefined);
      if (!viewer || kind.allow.allows?.(viewer) !== true) throw new AppError('NOT_FOUND');
      return kind.open({ ...ctx, viewer }, row.record_id);
    },
  };
}
