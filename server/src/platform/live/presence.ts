import type { LivePresence } from '@forecourt/contract/presence';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../log.ts';
import type { Notices } from './notices.ts';

/** Who has said nothing for this long is not there any more. */
const EXPIRY_MS = 30_000;
/** Looks for those this often, in milliseconds. */
const SWEEP_MS = 5000;
/** A session may say where it is once in this time. */
const TURN_MS = 1000;
/** What is said and heard within this time goes on together: one NOTIFY, one round of telling. */
const GATHER_MS = 50;
/** So many fit into the 8,000 bytes of a NOTIFY, whatever people are called. */
const TOLD_AT_ONCE = 10;

type Person = LivePresence['people'][number];
/** Where somebody is. */
export type Place = { month: string; cell: Person['cell'] };

/** What instances tell each other of one session. */
type Said = { sessionId: string; userId: string; name: string; place: Place | null };
type Present = Said & { place: Place; heardAt: number };

/** What a viewer is told of a place: null: nothing; without its cell where they may not see that. */
export type Judge = (viewer: Viewer, place: Place) => Place | null;

type Listener = {
  sessionId: string;
  /** Who listens, with the rights of now. Throws when they may no longer. */
  viewer(): Promise<Viewer>;
  deliver(presence: LivePresence): void;
};

type Deps = {
  db: Db;
  notices: Notices;
  log: Log;
  /** Reads once what is needed to judge all these places, for one viewer after the other. */
  judgeOf: (places: readonly Place[]) => Promise<Judge>;
};

export type PresenceOfPeople = ReturnType<typeof createPresence>;

/**
 * Who is where (product.md section 4, Presence). Nothing is stored: each instance remembers what all of them have
 * told by notices, for as long as it lasts. A listener is told of the month that its own session has open, whenever
 * something about it is different for them.
 */
export function createPresence({ db, notices, log, judgeOf }: Deps) {
  const here = new Map<string, Present>();
  /** When each session had its last turn, on whichever instance. */
  const turns = new Map<string, number>();
  const unsent = new Map<string, Said>();
  /** With what each was told last. */
  const listeners = new Map<Listener, string>();
  const late = (error: Error) => log.warn({ reason: error.message }, 'presence is late');

  const send = gathered(async () => {
    const batch = [...unsent.values()];
    unsent.clear();
    for (let at = 0; at < batch.length; at += TOLD_AT_ONCE) {
      await notices.send(db, 'presence', JSON.stringify(batch.slice(at, at + TOLD_AT_ONCE)));
    }
  }, late);

  const tellAll = gathered(async () => {
    const judge = await judgeOf([...here.values()].map(({ place }) => place));
    for (const listener of listeners.keys()) await tell(listener, judge).catch(late);
  }, late);

  async function tell(listener: Listener, judge: Judge): Promise<void> {
    const month = here.get(listener.sessionId)?.place.month;
    if (month === undefined) return void listeners.set(listener, '');
    const viewer = await listener.viewer();
    const presence: LivePresence = { month, people: peopleIn(month, viewer, judge) };
    const words = JSON.stringify(presence);
    // It may have ended meanwhile.
    if (listeners.get(listener) === words || !listeners.has(listener)) return;
    listeners.set(listener, words);
    listener.deliver(presence);
  }

  /** Everybody else, once each: where they were heard of last. */
  function peopleIn(month: string, viewer: Viewer, judge: Judge): Person[] {
    const people = new Map<string, Person>();
    for (const { userId, name, place } of here.values()) {
      const seen = place.month === month && userId !== viewer.userId ? judge(viewer, place) : null;
      if (seen) people.set(userId, { _id: userId, name, cell: seen.cell });
    }
    return [...people.values()].sort((a, b) => (a._id < b._id ? -1 : 1));
  }

  notices.on('presence', (value) => {
    const now = performance.now();
    for (const said of JSON.parse(value) as Said[]) {
      if (said.place) turns.set(said.sessionId, now);
      // Put in again, so that the newest of a person's sessions is the last.
      here.delete(said.sessionId);
      if (said.place) here.set(said.sessionId, { ...said, place: said.place, heardAt: now });
    }
    tellAll.soon();
  });
  notices.on('revoked', (userId) => {
    for (const { sessionId, userId: whose } of here.values()) if (whose === userId) here.delete(sessionId);
    tellAll.soon();
  });

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [sessionId, at] of turns) if (at <= now - TURN_MS) turns.delete(sessionId);
    const gone = [...here.values()].filter(({ heardAt }) => heardAt <= now - EXPIRY_MS);
    for (const { sessionId } of gone) here.delete(sessionId);
    if (gone.length > 0) tellAll.soon();
  }, SWEEP_MS);

  return {
    /** Says where a session is. Throws TOO_MANY_REQUESTS when it did less than a second ago; leaving needs no turn. */
    say({ sessionId, userId, name }: Viewer, place: Place | null): void {
      const now = performance.now();
      const last = turns.get(sessionId);
      if (place && last !== undefined && now < last + TURN_MS) {
        throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
      }
      if (place) turns.set(sessionId, now);
      unsent.set(sessionId, { sessionId, userId, name, place });
      send.soon();
    },
    /** Tells a listener what is different for them, and at once what is, until the returned function is called. */
    listen(listener: Listener): () => void {
      listeners.set(listener, '');
      tellAll.soon();
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(sweep);
      send.stop();
      tellAll.stop();
    },
  };
}

/** Runs `work` once for all that asked for it within a moment, and never twice at the same time. */
function gathered(work: () => Promise<void>, onError: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    timer = undefined;
    running = true;
    await work().catch(onError);
    running = false;
    if (again) soon();
    again = false;
  };
  function soon(): void {
    if (running) again = true;
    else timer ??= setTimeout(() => void run(), GATHER_MS);
  }
  return { soon, stop: () => clearTimeout(timer) };
}
