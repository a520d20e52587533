import type { LiveEvent } from '@forecourt/contract/events';
import type { Viewer } from '../http/context.ts';
import { permissionsDigestOf } from '../http/permissions-digest.ts';

/**
 * Returns which records of one entity a viewer may see. Created once for records that changed together, then called per
 * viewer, so that data common to all viewers is read once.
 */
type Visibility = (recordIds: string[]) => VisibleTo;
type VisibleTo = (viewer: Viewer) => Promise<VisibleRecords>;
/** The visible ids; a map also has the records, which are sent with their events. */
export type VisibleRecords = { has(id: string): boolean; get?(id: string): SentRecord | undefined };

/** A record as read for the visibility check, so that nobody gets a state that they may not see. */
export type SentRecord = {
  /** Whether its text depends on who the viewer is, and not only on their permissions. */
  isPersonal(viewer: Viewer): boolean;
  /** Returns the record as the viewer may see it, as JSON. */
  textFor(viewer: Viewer): string;
};

type RecordEvent = Omit<LiveEvent, 'row'>;
/** An event, with its record as JSON if that is sent. */
export type SentEvent = RecordEvent & { row?: string };

/** An event that viewers with equal permissions receive, and the record that goes with it. */
type VisibleEvent = { event: RecordEvent; record: SentRecord | undefined };

/** The state of a record before a change, from its audit entry. */
type Past = {
  /** The changed fields, or all fields, before the change. */
  before: Record<string, unknown>;
};

/** A change of a record that the viewer cannot see now. */
export type HiddenChange = { recordId: string; past: Past };

/**
 * Returns the changes by which a viewer lost visibility of a record. They are published to them as deletions
 * (docs/product/api.md, Live events). Decided by the audit entry and not by the events sent before, because most rows
 * on a screen were loaded. Publishing every invisible change would reveal the work of other users
 * (docs/product/security.md, Invisible records do not leak).
 */
type FindLostVisibility = (viewer: Viewer, changes: HiddenChange[]) => Promise<HiddenChange[]>;

/** `past` is null if there was no state before. `visibility` decides who may see the change. */
export type Change = { event: RecordEvent; past: Past | null; visibility: string };

/** The events that a viewer receives, by change; changes that they may not see are absent. */
type EventsByChange = Map<Change, VisibleEvent>;

const inOrder = (changes: readonly Change[], events: EventsByChange): VisibleEvent[] =>
  changes.flatMap((change) => events.get(change) ?? []);

const withRecords = (viewer: Viewer, events: readonly VisibleEvent[]): SentEvent[] =>
  events.map(({ event, record }) => (record ? { ...event, row: record.textFor(viewer) } : event));

export type EventRules = {
  /** The visibility check by the `visibility` of a change. */
  visibility: Record<string, Visibility>;
  /** Records of other entities become invisible only if the viewer's permissions change. */
  lostVisibility: Record<string, FindLostVisibility>;
  /**
   * Entities that viewers with equal permissions see alike, so that a change is checked once for all of them, with the
   * fields that decide visibility: if none of them changed, no viewer has lost visibility.
   */
  byPermissions?: Record<string, readonly string[]>;
};

/**
 * Returns a function that returns a viewer's events of these changes. Shared results are computed once; viewers with
 * equal permissions get the same array, unless a record is their own.
 */
export function createEventFilter(
  { visibility, lostVisibility, byPermissions = {} }: EventRules,
  changes: readonly Change[],
): (viewer: Viewer) => Promise<readonly SentEvent[]> {
  const byPart = [...Map.groupBy(changes, ({ visibility: part }) => part)];
  const [shared, others] = [true, false].map((is) =>
    byPart.filter(([part]) => part in byPermissions === is),
  ) as [typeof byPart, typeof byPart];
  const visibleTo = new Map<string, VisibleTo>();
  const sharedEvents = new Map<string, Promise<EventsByChange>>();
  /** The events of viewers to whom no record is personal, by their shared events. */
  const sharedLists = new WeakMap<EventsByChange, SentEvent[]>();

  /** Returns the visibility check for these changes, which all have one entity. */
  function visibilityOf(entity: string, own: readonly Change[]): VisibleTo | undefined {
    const visible = visibility[entity];
    const idsOf = () => [...new Set(own.map(({ event }) => event.recordId))];
    return visible && visibleTo.getOrInsertComputed(entity, () => visible(idsOf()));
  }

  /** Removes changes of records that were already invisible before the change. */
  function mayHaveLostVisibility(entity: string, unseen: HiddenChange[]): HiddenChange[] {
    const fields = byPermissions[entity];
    if (!fields) return unseen;
    const moved = new Set(
      unseen.flatMap(({ recordId, past }) =>
        fields.some((field) => Object.hasOwn(past.before, field)) ? recordId : [],
      ),
    );
    return unseen.filter(({ recordId }) => moved.has(recordId));
  }

  /** Returns a viewer's events for these parts of the changes. */
  async function authorise(viewer: Viewer, parts: typeof byPart): Promise<EventsByChange> {
    const events: EventsByChange = new Map();
    for (const [entity, own] of parts) {
      const visible = await visibilityOf(entity, own)?.(viewer);
      const unseen = new Map<HiddenChange, Change>();
      for (const change of own) {
        const { event, past } = change;
        if (visible?.has(event.recordId))
          events.set(change, { event, record: visible.get?.(event.recordId) });
        else if (past) unseen.set({ recordId: event.recordId, past }, change);
      }
      const left = mayHaveLostVisibility(entity, [...unseen.keys()]);
      const lost = left.length > 0 ? await lostVisibility[entity]?.(viewer, left) : undefined;
      for (const one of lost ?? []) {
        const change = unseen.get(one)!;
        const event = { ...change.event, action: 'deleted', version: null } as const;
        events.set(change, { event, record: undefined });
      }
    }
    return events;
  }

  return async (viewer) => {
    const own = await cachedOrFind(sharedEvents, permissionsDigestOf(viewer), () =>
      authorise(viewer, shared),
    );
    if (others.length > 0)
      return withRecords(viewer, inOrder(changes, new Map([...own, ...(await authorise(viewer, others))])));
    const events = inOrder(changes, own);
    if (events.some(({ record }) => record?.isPersonal(viewer))) return withRecords(viewer, events);
    return sharedLists.getOrInsertComputed(own, () => withRecords(viewer, events));
  };
}

/** Returns the cached result. After a failure the next caller computes it again. */
async function cachedOrFind<T>(
  cache: Map<string, Promise<T>>,
  key: string,
  find: () => Promise<T>,
): Promise<T> {
  for (let cached = cache.get(key); cached; cached = cache.get(key)) {
    const result = await cached.catch(() => undefined);
    if (result) return result;
  }
  const result = find();
  cache.set(key, result);
  return result.catch((error: unknown) => {
    cache.delete(key);
    throw error;
  });
}
