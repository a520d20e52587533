import type { Clock } from '../../platform/clock.ts';
import * as company from './demo-company.ts';
import { createWorkingTime, type DemoDeal } from './demo-deals.ts';

/** Rows younger than this have a history and emails. */
const PAST_DAYS = 45;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Index in `company.people`. */
const BEN = 1;

export type StoredDeal = { id: string; deal: DemoDeal };

/** An entry of the audit log. `actor` is an index in `company.people`; null for a request without a session. */
type PastEntry = {
  at: Date;
  actor: number | null;
  action: `${string}.${string}`;
  entity: 'deal' | 'email' | 'session';
  /** The id of a deal, or the index of an email in `emails`. */
  record?: string | number;
  version?: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

type WriteField = (at: Date, actor: number, field: string, before: unknown, after: unknown) => void;

/** The columns of a row that differ from those of a new row. */
export type PastChange = {
  version: number;
  fieldVersions: Record<string, number>;
  customerName: string;
  notes: string;
  updatedBy: number;
  updatedAt: Date;
};

type PastEmail = {
  deal: StoredDeal;
  dealVersion: number;
  customerName: string;
  sender: number;
  status: 'queued' | 'sent' | 'retrying' | 'failed' | 'cancelled';
  answer: string;
  attempts: number;
  createdAt: Date;
  sentAt: Date | null;
  nextAttemptAt: Date | null;
};

export type Past = ReturnType<typeof demoPast>;

const NOTES = [
  'Wants the tint darker than the last one.',
  'Call after 4 pm, works mornings.',
  'Asked for the price of a second dash cam.',
  'Partner decides, call both on Thursday.',
  'Picks the car up at the dealership.',
];

/** The states of the newest emails, newest first; all earlier emails were sent. */
const NEWEST_EMAILS: readonly PastEmail['status'][] = [
  'queued',
  'retrying',
  'queued',
  'failed',
  'cancelled',
  'retrying',
  'failed',
  'cancelled',
  'failed',
];

const ANSWERS: Record<PastEmail['status'], string> = {
  queued: '',
  sent: '250 2.0.0 OK: queued',
  retrying: '452 4.2.2 The mailbox is full, try again later',
  failed: '550 5.1.1 No such person here',
  cancelled: '',
};

/**
 * Returns the activity of six people in recent weeks, oldest first: rows added and changed, emails in every state, and
 * sign-ins. The same random numbers and instant give the same activity.
 * @param random from 0 to below 1
 */
export function demoPast(random: () => number, clock: Clock, deals: readonly StoredDeal[]) {
  const now = clock.now().getTime();
  const entries: PastEntry[] = [];
  const emails: PastEmail[] = [];
  /** By deal id. */
  const changes = new Map<string, PastChange>();
  /** Returns an instant between the given one and now. */
  const after = (instant: Date, most: number): Date =>
    new Date(instant.getTime() + random() * Math.min(most, now - instant.getTime()));

  function recordRow({ id, deal }: StoredDeal): void {
    const change: PastChange = {
      version: 1,
      fieldVersions: {},
      customerName: deal.customerName,
      notes: '',
      updatedBy: deal.person,
      updatedAt: deal.createdAt,
    };
    const write: WriteField = (at, actor, field, before, value) => {
      change.version += 1;
      change.fieldVersions[field] = change.version;
      change.updatedBy = actor;
      change.updatedAt = at;
      entries.push({
        at,
        actor,
        action: 'deal.updated',
        entity: 'deal',
        record: id,
        version: change.version,
        before: { [field]: before },
        after: { [field]: value },
      });
    };
    const { customerName, customerNumber, dealNumber, vehicle } = deal;
    entries.push({
      at: deal.createdAt,
      actor: deal.person,
      action: 'deal.created',
      entity: 'deal',
      record: id,
      version: 1,
      after: { customerName, customerNumber, dealNumber, vehicle, status: 'Entered' },
    });
    if (random() < 0.2) {
      change.notes = NOTES[Math.floor(random() * NOTES.length)]!;
      write(after(deal.createdAt, HOUR_MS), random() < 0.3 ? BEN : deal.person, 'notes', '', change.notes);
    }
    const end = deal.closedAt ?? after(change.updatedAt, HOUR_MS);
    if (deal.status !== 'Entered') {
      const called = new Date(Math.min(after(change.updatedAt, HOUR_MS).getTime(), end.getTime()));
      const first = deal.closedAt ? 'Called' : deal.status;
      write(called, deal.person, 'status', 'Entered', first);
      if (deal.closedAt) write(end, deal.person, 'status', first, deal.status);
    }
    changes.set(id, change);
    if (deal.status === 'Deal' && random() < 0.75) recordEmail({ id, deal }, change, write);
  }

  function recordEmail(stored: StoredDeal, change: PastChange, write: WriteField): void {
    const createdAt = after(change.updatedAt, HOUR_MS);
    emails.push({
      deal: stored,
      dealVersion: change.version,
      customerName: change.customerName,
      sender: stored.deal.person,
      status: 'sent',
      answer: ANSWERS.sent,
      attempts: 1,
      createdAt,
      sentAt: new Date(Math.min(createdAt.getTime() + 11_000, now)),
      nextAttemptAt: null,
    });
    // Corrects the buyer's name after the email, so that the row shows 'changed since sent'.
    if (random() < 0.05) {
      change.customerName = `${change.customerName}-Lee`;
      const { customerName } = emails.at(-1)!;
      write(after(createdAt, HOUR_MS), stored.deal.person, 'customerName', customerName, change.customerName);
    }
  }

  for (const stored of deals)
    if (now - stored.deal.createdAt.getTime() < PAST_DAYS * DAY_MS) recordRow(stored);

  const newestFirst = [...emails].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  for (const [place, status] of NEWEST_EMAILS.entries()) {
    const email = newestFirst[place];
    if (!email) break;
    const retryMs = status === 'retrying' ? (20 + 10 * place) * 60_000 : null;
    const waitMs = status === 'queued' ? DAY_MS : retryMs;
    Object.assign(email, {
      status,
      answer: ANSWERS[status],
      attempts: { queued: 0, cancelled: 0, retrying: 3, failed: 1, sent: 1 }[status],
      sentAt: null,
      nextAttemptAt: waitMs === null ? null : new Date(now + waitMs),
    });
  }
  for (const [place, email] of emails.entries())
    entries.push({
      at: email.createdAt,
      actor: email.sender,
      action: 'email.created',
      entity: 'email',
      record: place,
      version: 1,
      after: { templateName: company.templates[0].name, dealIds: [email.deal.id], status: 'queued' },
    });

  entries.push(...signIns(random, clock));
  entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { entries, emails, changes };
}

/** Returns sign-ins of most people on each working day, and a few failed ones. */
function signIns(random: () => number, clock: Clock): PastEntry[] {
  const workingTime = createWorkingTime(random, clock);
  return Array.from(
    { length: PAST_DAYS },
    (_, day) => new Date(clock.now().getTime() - day * DAY_MS),
  ).flatMap((day) =>
    Array.from(company.people.keys())
      .filter(() => random() < 0.65)
      .flatMap((person): PastEntry[] => {
        const at = workingTime(day);
        const mistyped: PastEntry = {
          at: new Date(at.getTime() - 20_000),
          actor: null,
          action: 'session.refused',
          entity: 'session',
          after: { email: company.people[person]!.email },
        };
        const started: PastEntry = { at, actor: person, action: 'session.started', entity: 'session' };
        return random() < 0.08 ? [mistyped, started] : [started];
      }),
  );
}
