import type { LivePresence } from '@forecourt/contract/presence';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import { rightsOf } from '../http/rights.ts';
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
/**
 * After a round there is none for so many times as long as it took: who tells hundreds of people of hundreds of others
 * has something else to do as well.
 */
const REST_TIMES = 9;
/** So many fit into the 8,000 bytes of a NOTIFY, whatever people are called. */
const TOLD_AT_ONCE = 10;

type Person = LivePresence['people'][number];
/** Where somebody is. */
export type Place = { month: string; cell: Person['cell'] };

/** What instances tell each other of one session. */
type Said = { sessionId: string; userId: string; name: string; place: Place | null };
type Present = Said & { place: Place; heardAt: number };

/** What a viewer is told of a place, which follows from their rights: null: nothing; without its cell where they may not see that. */
export type Judge = (viewer: Viewer, place: Place) => Place | null;

type Listener = {
  sessionId: string;
  /** Who listens, with the rights of now. Throws when they may no longer. */
  viewer(): Promise<Viewer>;
  /** @param words a `LivePresence` as JSON */
  deliver(words: string): void;
};

/** Who is in a month for everybody with the same rights, as the JSON of each by their ids. */
type Scene = {
  people: ReadonlyMap<string, string>;
  /** The number of the scene that it came after, and who is not as they were there. */
  number: number;
  before: number;
  changed: ReadonlySet<string>;
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
  /** With the number of the scene that each knows; 0: none. */
  const listeners = new Map<Listener, number>();
  let scenes = new Map<string, Scene>();
  let lastNumber = 0;
  const late = (error: Error) => log.warn({ reason: error.message }, 'presence is late');

  const send = gathered(async () => {
    const batch = [...unsent.values()];
    unsent.clear();
    for (let at = 0; at < batch.length; at += TOLD_AT_ONCE) {
      await notices.send(db, 'presence', JSON.stringify(batch.slice(at, at + TOLD_AT_ONCE)));
    }
  }, late);

  const tellAll = gathered(
    async () => {
      const judge = await judgeOf([...here.values()].map(({ place }) => place));
      const known = scenes;
      scenes = new Map();
      for (const listener of listeners.keys()) await tell(listener, judge, known).catch(late);
    },
    late,
    REST_TIMES,
  );

  async function tell(listener: Listener, judge: Judge, known: Map<string, Scene>): Promise<void> {
    const month = here.get(listener.sessionId)?.place.month;
    if (month === undefined) return void listeners.set(listener, 0);
    const viewer = await listener.viewer();
    const knows = listeners.get(listener);
    // It may have ended meanwhile.
    if (knows === undefined) return;
    const key = `${month} ${rightsOf(viewer)}`;
    const scene = scenes.get(key) ?? sceneAfter(known.get(key), peopleIn(month, viewer, judge));
    scenes.set(key, scene);
    listeners.set(listener, scene.number);
    if (knows === scene.number || (knows === scene.before && isOnly(scene.changed, viewer.userId))) return;
    const others = [...scene.people].flatMap(([userId, words]) => (userId === viewer.userId ? [] : words));
    listener.deliver(`{"month":${JSON.stringify(month)},"people":[${others.join(',')}]}`);
  }

  /** The scene as it is now; the same one where nobody has moved. */
  function sceneAfter(last: Scene | undefined, people: Scene['people']): Scene {
    const ids = new Set([...(last?.people.keys() ?? []), ...people.keys()]);
    const changed = new Set([...ids].filter((id) => last?.people.get(id) !== people.get(id)));
    if (last && changed.size === 0) return last;
    lastNumber += 1;
    return { people, number: lastNumber, before: last?.number ?? -1, changed };
  }

  /** Everybody, once each: where they were heard of last. */
  function peopleIn(month: string, viewer: Viewer, judge: Judge): Scene['people'] {
    const people = new Map<string, Person>();
    for (const { userId, name, place } of here.values()) {
      const seen = place.month === month ? judge(viewer, place) : null;
      if (seen) people.set(userId, { _id: userId, name, cell: seen.cell });
    }
    const inOrder = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(inOrder.map(([userId, person]) => [userId, JSON.stringify(person)]));
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
      listeners.set(listener, 0);
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

const isOnly = (ids: ReadonlySet<string>, id: string): boolean =>
  ids.size === 0 || (ids.size === 1 && ids.has(id));

/**
 * Runs `work` once for all that asked for it within a moment, and never twice at the same time; after it took long, not
 * again for so many times as long.
 */
function gathered(work: () => Promise<void>, onError: (error: Error) => void, restTimes = 0) {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let restedAt = 0;
  const run = async (): Promise<void> => {
    timer = undefined;
    running = true;
    const begun = performance.now();
    await work().catch(onError);
    const ended = performance.now();
    restedAt = ended + restTimes * (ended - begun);
    running = false;
    if (again) soon();
    again = false;
  };
  function soon(): void {
    if (running) again = true;
    else timer ??= setTimeout(() => void run(), Math.max(GATHER_MS, restedAt - performance.now()));
  }
  return { soon, stop: () => clearTimeout(timer) };
}
