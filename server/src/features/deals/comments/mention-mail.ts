import { linkBase, type Config } from '../../../platform/config.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { defineJob, type JobDefinition } from '../../../platform/define-job.ts';
import type { Viewer } from '../../../platform/http/context.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Log } from '../../../platform/log.ts';
import { retryMail } from '../../../platform/mail/retry-mail.ts';
import { oneLine } from '../../../platform/mail/smtp-failure.ts';
import type { SystemMail, SystemMessage } from '../../../platform/mail/system-mail.ts';
import { claimMail, releaseMail, type Notified } from '../../../platform/notify.ts';
import { readViewers } from '../../../platform/viewers.ts';
import * as queries from './deal-comments.queries.ts';

const QUEUE = 'mention-mail';

/** Delay of the mail: a user who reads the comment before gets none, and its author can still correct it. */
const DELAY_MS = 60_000;

/** A mention of a user. The text of the comment is read when the mail is sent. */
type MentionJob = { commentId: string; userId: string; notificationId: string; tries?: number };

type Parts = {
  config: Config;
  jobs: Jobs;
  /** Undefined if no mail server is configured. */
  mail: SystemMail | undefined;
};

type WorkerParts = {
  db: Db;
  log: Log;
  /** Returns names and months of the rows that the viewer may see. */
  namesOf: (
    ctx: { db: Db; viewer: Viewer },
    ids: string[],
  ) => Promise<Map<string, { month: string; customerName?: string }>>;
};

/** Mails a mention in a comment to the mentioned user (docs/product/data-entry.md, Mail about mentions). */
export function createMentionMail({ config, jobs, mail }: Parts) {
  const base = linkBase(config);

  /** Returns the message; undefined if the mention, the user or their access to the row no longer exists. */
  async function compose(
    { db, namesOf }: WorkerParts,
    { commentId, userId, notificationId }: MentionJob,
  ): Promise<SystemMessage | undefined> {
    const mention = await queries.findMailedMention(db, commentId, userId);
    const [viewer] = await readViewers(db, [userId]);
    if (!mention || !viewer) return undefined;
    const row = (await namesOf({ db, viewer }, [mention.deal_id])).get(mention.deal_id);
    if (!row) return undefined;
    const subject = oneLine(
      `${mention.author_name} mentioned you in a comment on ${row.customerName || 'a row'}`,
    );
    const parts = [
      `Hello ${viewer.name},`,
      `${subject}:`,
      quoted(mention.body),
      'Read the comments and reply here:',
      `${base}/data-entry/${mention.deal_id}?comment=${commentId}`,
      'You get no further mail about this row until you have read its comments.',
      `You can turn this mail off in your account: ${base}/account`,
    ];
    return {
      id: `${notificationId}.${commentId}`,
      to: viewer.email,
      subject,
      text: `${parts.join('\n\n')}\n`,
    };
  }

  return {
    /** Whether a mail server is configured. */
    isOn: mail !== undefined,

    /** Queues the mail for notified users in the transaction of the comment. */
    async enqueue(tx: Tx, commentId: string, notified: Notified): Promise<void> {
      if (!mail) return;
      const startAfter = new Date(Date.now() + DELAY_MS);
      for (const [userId, notificationId] of notified)
        await jobs.enqueue(tx, QUEUE, { commentId, userId, notificationId }, { startAfter });
    },

    /** The worker, if a mail server is configured. */
    jobs(parts: WorkerParts): JobDefinition[] {
      if (!mail) return [];
      const { db, log } = parts;
      async function run(job: MentionJob, signal: AbortSignal): Promise<void> {
        const { userId, notificationId, commentId } = job;
        const message = await compose(parts, job);
        if (!message || !(await claimMail(db, notificationId, commentId))) return;
        try {
          await mail!.send(message, signal);
        } catch (error) {
          await retryMail({ jobs, db, log }, { queue: QUEUE, job, userId, error }).catch(
            async (failure: unknown) => {
              // A later mention is mailed instead.
              await releaseMail(db, notificationId, commentId);
              throw failure;
            },
          );
        }
      }
      return [defineJob<MentionJob>({ name: QUEUE, concurrency: 2, run })];
    },
  };
}

export type MentionMail = ReturnType<typeof createMentionMail>;

/** Quotes each line of a comment, so that it does not look like a text of the program. */
const quoted = (text: string): string =>
  text
    .split(/[\n\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
