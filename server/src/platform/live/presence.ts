import type { PresentPerson } from '@forecourt/contract/presence';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { permissionsDigestOf } from '../http/permissions-digest.ts';
import type { Log } from '../log.ts';
import { createBatchedTask } from './batched-task.ts';
import type { EventBus } from './event-bus.ts';
import { streamMessage } from './stream-message.ts';

/** A session without a message for this long is absent. */
const EXPIRY_MS = 30_000;
/** The interval of the check for expired sessions, in milliseconds. */
const SWEEP_MS = 5000;
/** A session publishes its place at most once in this time; the newest place wins. */
const THROTTLE_MS = 1000;
/** Places published and received in this time are batched: one NOTIFY, one round of deliveries. */
const BATCH_MS = 50;
/** The delay after a round as a multiple of its duration: hundreds of listeners must leave CPU for requests. */
const REST_TIMES = 9;
/** As many messages as fit into the 8,000 bytes of a NOTIFY, with names of any length. */
const BATCH_SIZE = 10;

/** The open month and the active cell of a session. */
export type Place = { month: string; cell: PresentPerson['cell'] };

/** The message between instances about one session. */
type Announced = { sessionId: string; userId: string; name: string; place: Place | null };
/** The JSON of the user is serialised in two forms: with the cell for viewers who may see it, and without. */
type Present = Announced & { place: Place; receivedAt: number; withCell: string; withoutCell: string };

/** Returns a place as a viewer may see it: without its cell, or null if the month is hidden. */
export type PlaceFilter = (viewer: Viewer, place: Place) => Place | null;

type Listener = {
  sessionId: string;
  /** Returns the viewer with current permissions. Throws when the session has ended. */
  viewer(): Promise<Viewer>;
  /** @param message an event with a `LivePresence` */
  deliver(message: Buffer): void;
};

/** The JSON of users by id; undefined for users who left. */
type People = ReadonlyMap<string, string | undefined>;

/** The users in a month as viewers with equal permissions see them. */
type MonthSnapshot = {
  people: People;
  number: number;
  /** Number of the previous snapshot, and the users who differ from it. */
  before: number;
  changed: People;
  /** The cached message about the changes, for everyone who is not part of them. */
  message?: Buffer;
};

type Deps = {
  db: Db;
  eventBus: EventBus;
  log: Log;
  /** Loads once what decides the visibility of these places, for all viewers. */
  createPlaceFilter: (places: readonly Place[]) => Promise<PlaceFilter>;
};

export type PresenceOfPeople = ReturnType<typeof createPresence>;

/**
 * Presence of users (docs/product/data-entry.md, Presence). Nothing is stored: each instance caches the places that all
 * instances publish until they expire. A listener receives the users in the month that its own session has open, and
 * then changes.
 */
export function createPresence({ db, eventBus, log, createPlaceFilter }: Deps) {
  const present = new Map<string, Present>();
  /** When any instance last published the place of each session. */
  const lastPublished = new Map<string, number>();
  const unsent = new Map<string, Announced>();
  /** The newest place of each throttled session. */
  const throttled = new Map<string, { announced: Announced; timer: NodeJS.Timeout }>();
  /** By listener, the number of the last delivered snapshot; 0 if none was delivered. */
  const listeners = new Map<Listener, number>();
  let snapshots = new Map<string, MonthSnapshot>();
  let lastNumber = 0;
  const logError = (error: Error) => log.warn({ reason: error.message }, 'presence is late');
  const batching = { waitMs: BATCH_MS, onError: logError };

  const send = createBatchedTask(async () => {
    const batch = [...unsent.values()];
    unsent.clear();
    for (let at = 0; at < batch.length; at += BATCH_SIZE) {
      await eventBus.send(db, 'presence', JSON.stringify(batch.slice(at, at + BATCH_SIZE)));
    }
  }, batching);

  const deliverToAll = createBatchedTask(
    async () => {
      const filterPlace = await createPlaceFilter([...present.values()].map(({ place }) => place));
      const previous = snapshots;
      snapshots = new Map();
      for (const listener of listeners.keys())
        await deliverTo(listener, filterPlace, previous).catch(logError);
    },
    { ...batching, restMs: (durationMs) => REST_TIMES * durationMs },
  );

  async function deliverTo(
    listener: Listener,
    filterPlace: PlaceFilter,
    previous: Map<string, MonthSnapshot>,
  ): Promise<void> {
    const month = present.get(listener.sessionId)?.place.month;
    if (month === undefined) return void listeners.set(listener, 0);
    const viewer = await listener.viewer();
    const delivered = listeners.get(listener);
    // The listener may have ended in the meantime.
    if (delivered === undefined) return;
    const key = `${month} ${permissionsDigestOf(viewer)}`;
    const snapshot =
      snapshots.get(key) ?? nextSnapshot(previous.get(key), peopleIn(month, viewer, filterPlace));
    snapshots.set(key, snapshot);
    listeners.set(listener, snapshot.number);
    if (delivered === snapshot.number) return;
    const { userId } = viewer;
    if (delivered !== snapshot.before)
      listener.deliver(messageOf({ month, isComplete: true, people: without(snapshot.people, userId) }));
    else if (!snapshot.changed.has(userId)) {
      snapshot.message ??= messageOf({ month, isComplete: false, people: snapshot.changed });
      listener.deliver(snapshot.message);
    } else if (snapshot.changed.size > 1)
      listener.deliver(messageOf({ month, isComplete: false, people: without(snapshot.changed, userId) }));
  }

  /** Returns the current snapshot; the previous one if nothing changed. */
  function nextSnapshot(last: MonthSnapshot | undefined, people: People): MonthSnapshot {
    const changed = new Map<string, string | undefined>();
    for (const [id, json] of people) if (last?.people.get(id) !== json) changed.set(id, json);
    for (const id of last?.people.keys() ?? []) if (!people.has(id)) changed.set(id, undefined);
    if (last && changed.size === 0) return last;
    lastNumber += 1;
    return { people, number: lastNumber, before: last?.number ?? -1, changed };
  }

  /** Returns each user once, at their most recent place. */
  function peopleIn(month: string, viewer: Viewer, filterPlace: PlaceFilter): People {
    const people = new Map<string, string>();
    for (const { userId, place, withCell, withoutCell } of present.values()) {
      const seen = place.month === month ? filterPlace(viewer, place) : null;
      if (seen) people.set(userId, seen.cell ? withCell : withoutCell);
    }
    return people;
  }

  eventBus.on('presence', (value) => {
    const now = performance.now();
    for (const announced of JSON.parse(value) as Announced[]) {
      if (announced.place) lastPublished.set(announced.sessionId, now);
      // Deleted and inserted again, so that a user's newest session is the last.
      present.delete(announced.sessionId);
      if (announced.place) present.set(announced.sessionId, toPresent(announced, announced.place, now));
    }
    deliverToAll.soon();
  });
  eventBus.on('revoked', (userId) => {
    for (const { sessionId, userId: owner } of present.values())
      if (owner === userId) present.delete(sessionId);
    deliverToAll.soon();
  });

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [sessionId, at] of lastPublished) if (at <= now - THROTTLE_MS) lastPublished.delete(sessionId);
    const gone = [...present.values()].filter(({ receivedAt }) => receivedAt <= now - EXPIRY_MS);
    for (const { sessionId } of gone) present.delete(sessionId);
    if (gone.length > 0) deliverToAll.soon();
  }, SWEEP_MS);

  function publishNow(announced: Announced): void {
    if (announced.place) lastPublished.set(announced.sessionId, performance.now());
    unsent.set(announced.sessionId, announced);
    send.soon();
  }

  function publishThrottled(sessionId: string): void {
    const next = throttled.get(sessionId);
    throttled.delete(sessionId);
    if (next) publishNow(next.announced);
  }

  return {
    /** Publishes the place of a session, at most once a second; leaving is not throttled. */
    publish({ sessionId, userId, name }: Viewer, place: Place | null): void {
      const announced = { sessionId, userId, name, place };
      const before = throttled.get(sessionId);
      const rest = (lastPublished.get(sessionId) ?? -Infinity) + THROTTLE_MS - performance.now();
      if (place && rest > 0) {
        const timer = before?.timer ?? setTimeout(() => publishThrottled(sessionId), rest);
        throttled.set(sessionId, { announced, timer });
        return;
      }
      clearTimeout(before?.timer);
      throttled.delete(sessionId);
      publishNow(announced);
    },
    /** Delivers the current users and then changes, until the returned function is called. */
    listen(listener: Listener): () => void {
      listeners.set(listener, 0);
      deliverToAll.soon();
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(sweep);
      for (const { timer } of throttled.values()) clearTimeout(timer);
      send.stop();
      deliverToAll.stop();
    },
  };
}

function toPresent(announced: Announced, place: Place, receivedAt: number): Present {
  const { userId: _id, name } = announced;
  const [withCell, withoutCell] = [place.cell, null].map((cell) =>
    JSON.stringify({ _id, name, cell } satisfies PresentPerson),
  );
  return { ...announced, place, receivedAt, withCell: withCell!, withoutCell: withoutCell! };
}

function without(people: People, userId: string): People {
  const others = new Map(people);
  others.delete(userId);
  return others;
}

/** Returns a `LivePresence` as a message of a live stream. */
function messageOf({
  month,
  isComplete,
  people,
}: {
  month: string;
  isComplete: boolean;
  people: People;
}): Buffer {
  const present = [...people.values()].filter((json) => json !== undefined);
  const left = [...people].flatMap(([userId, json]) => (json === undefined ? userId : []));
  return streamMessage(
    'presence',
    `{"month":${JSON.stringify(month)},"isComplete":${isComplete},"people":[${present.join(',')}],"left":${JSON.stringify(left)}}`,
  );
}
