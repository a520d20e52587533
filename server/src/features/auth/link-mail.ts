import { audit } from '../../platform/audit.ts';
import { linkBase, type Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import type { Origin } from '../../platform/http/context.ts';
import { newToken, tokenHash } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import { retryMail } from '../../platform/mail/retry-mail.ts';
import { createSystemMail, type SystemMail } from '../../platform/mail/system-mail.ts';
import * as queries from './password-links.queries.ts';

const QUEUE = 'password-links';

/** How long a mailed reset link is valid (docs/product/people-and-permissions.md, Reset links). */
export const RESET_MINUTES = 30;

/** How long an invitation link is valid. */
export const INVITATION_DAYS = 7;

/** The job of a mail with a link. It has no key, because a queue must not contain secrets. */
type LinkJob = { origin: Origin; tries?: number } & (
  | { purpose: 'reset'; email: string }
  | { purpose: 'invitation'; userId: string }
);

type Parts = { config: Config; jobs: Jobs; db: Db; log: Log };
type Person = { id: string; name: string; email: string };

/** Returns the path of the page for a key. The key is a fragment, which appears in no log and no Referer. */
export const linkPath = (key: string): string => `/reset-password#key=${key}`;

/** Mails links to choose a password, through SMTP_URL. */
export function createLinkMail({ config, jobs, db, log }: Parts) {
  const mail = createSystemMail(config);
  // Not the Host header, because the sender of a request must not control the target of a link
  // (docs/product/security.md, Links use the configured address).
  const base = linkBase(config);

  async function work(mail: SystemMail, job: LinkJob, signal: AbortSignal): Promise<void> {
    const person = await (job.purpose === 'reset'
      ? queries.findActiveUserByEmail(db, job.email)
      : queries.findActiveUser(db, job.userId));
    const key = newToken();
    if (!person || !(await storeLink(db, job, person, key))) return;
    try {
      await mail.send(linkMessage(job.purpose, person, base + linkPath(key), config.COMPANY_NAME), signal);
    } catch (error) {
      // A retry creates a new key.
      await queries.deleteLink(db, tokenHash(key));
      await retryMail({ jobs, db, log }, { queue: QUEUE, job, userId: person.id, error });
    }
  }

  return {
    /** Whether a server for the program's own mail is configured. */
    isOn: mail !== undefined,
    enqueue: (tx: Tx, job: LinkJob): Promise<void> => jobs.enqueue(tx, QUEUE, job),
    job:
      mail &&
      defineJob<LinkJob>({
        name: QUEUE,
        concurrency: 2,
        run: (job, signal) => work(mail, job, signal),
      }),
    stop: (): void => mail?.close(),
  };
}

export type LinkMail = ReturnType<typeof createLinkMail>;

/** Stores a key and revokes older reset links. Returns false if user, address or invitation no longer exists. */
const storeLink = (db: Db, { purpose, origin }: LinkJob, { id: userId, email }: Person, key: string) =>
  db.transaction().execute(async (tx) => {
    // The lock serialises a change of the address: a former address gets no valid link.
    if (!(await queries.lockAtAddress(tx, userId, email))) return false;
    const keyHash = tokenHash(key);
    if (purpose === 'reset') {
      await queries.deleteLinks(tx, userId, 'reset');
      await queries.insertLink(tx, { keyHash, userId, purpose, minutes: RESET_MINUTES });
    } else if (!(await queries.insertFurtherInvitation(tx, keyHash, userId))) return false;
    const after = { passwordLink: purpose };
    await audit({ db: tx, origin, viewer: null }, 'user.updated', userId, { after });
    return true;
  });

const TEXTS = {
  reset: {
    subject: (company: string) => `Choose a new password for ${company}`,
    before: (company: string) =>
      `somebody asked for a new password for your account at ${company}. Choose it here within ${RESET_MINUTES} minutes; the link works once:`,
    after: () => 'If it was not you, there is nothing to do: your password stays as it is.',
  },
  invitation: {
    subject: (company: string) => `Your account at ${company}`,
    before: (company: string) =>
      `you have an account at ${company} now. Choose your password here within ${INVITATION_DAYS} days; the link works once:`,
    after: (email: string) => `After that you sign in with ${email} and your password.`,
  },
};

function linkMessage(purpose: LinkJob['purpose'], person: Person, link: string, company: string) {
  const { subject, before, after } = TEXTS[purpose];
  const parts = [`Hello ${person.name},`, before(company), link, after(person.email)];
  return { to: person.email, subject: subject(company), text: `${parts.join('\n\n')}\n` };
}
