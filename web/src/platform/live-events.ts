import type { LiveEvent, LiveJob, LivePermissions } from '@forecourt/contract/events';
import type { LivePresence } from '@forecourt/contract/presence';
import { mergePresence, type PresentPeople } from '@forecourt/contract/present-people';
import {
  hashKey,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf, requestHeaders } from './api.ts';
import { createStreamReader } from './event-stream.ts';
import { newKey } from './ids.ts';
import { receivePermissions } from './permissions.ts';
import { currentSession, refreshUser, subscribeSession } from './session.ts';
import { electLeader } from './tab-leader.ts';
import { viewing } from './view-as.ts';

type Entity = LiveEvent['entity'];
type Handler = (event: LiveEvent) => void;

/** A message from the tab that has the connection to the other tabs. `gap`: events may have been missed. */
type Relayed =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'permissions'; record: LivePermissions }
  | { kind: 'job'; job: LiveJob }
  | { kind: 'presence'; presence: PresentPeople }
  | { kind: 'gap' };

/** A new tab requests recent events by null: its data may have been read before its channel was open. */
type Replay = { tab: string; events: readonly LiveEvent[] | null };

/** Delays between attempts to connect, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 30_000;

/** A connection is dead if it is silent for longer than this: the server sends a heartbeat every 15 s. */
const QUIET_MS = 45_000;

/** A new connection first repeats the events of the last 10 s. If the gap was longer, events were missed. */
const REPEATED_MS = 10_000;

/** Events of a bulk change are batched into one refresh during this time, in milliseconds. */
const BATCH_MS = 100;

/** Maximum of the random delay of a refresh, in milliseconds, so that not all open pages request it at once. */
const JITTER_MS = 500;

/** Default of the time between the end of a refresh and the next one, in milliseconds. */
const REST_MS = 1000;

/** How long recent events are stored, in milliseconds: twice the timeout of a call. */
const KEPT_MS = 30_000;

const handlers = new Map<Entity, Set<Handler>>();
const recent: { readonly at: number; readonly event: LiveEvent }[] = [];
const gapHandlers = new Set<() => void>();
const jobHandlers = new Set<(jobId: string) => void>();
const presenceHandlers = new Set<(presence: PresentPeople) => void>();

/** Returns a function that unsubscribes. */
export function onLiveEvent(entity: Entity, handler: Handler): () => void {
  const entityHandlers = handlers.get(entity) ?? new Set();
  handlers.set(entity, entityHandlers.add(handler));
  return () => entityHandlers.delete(handler);
}

const recentEvents = (): LiveEvent[] =>
  recent.flatMap(({ at, event }) => (performance.now() - at < KEPT_MS ? [event] : []));

/** Returns recent events about this entity, for a screen that requested its data before it subscribed. */
export const recentLiveEvents = (entity: Entity): LiveEvent[] =>
  recentEvents().filter((event) => event.entity === entity);

/** Calls the handler when a job of this user progresses. Returns a function that unsubscribes. */
export function onLiveJob(handler: (jobId: string) => void): () => void {
  jobHandlers.add(handler);
  return () => jobHandlers.delete(handler);
}

/** Calls the handler when another user joins, leaves or moves in a month that is open in this browser. */
export function onPresence(handler: (presence: PresentPeople) => void): () => void {
  presenceHandlers.add(handler);
  return () => presenceHandlers.delete(handler);
}

/** Calls the handler after a lost connection: loaded data may be outdated. */
export function onLiveGap(handler: () => void): () => void {
  gapHandlers.add(handler);
  return () => gapHandlers.delete(handler);
}

/** Refreshes of a client by query key, each shared by all components that use it. */
const refreshes = new WeakMap<QueryClient, Map<string, ReturnType<typeof createRefresh>>>();

function refreshOf(client: QueryClient, queryKey: QueryKey): ReturnType<typeof createRefresh> {
  const ofClient = refreshes.get(client) ?? new Map<string, ReturnType<typeof createRefresh>>();
  refreshes.set(client, ofClient);
  const id = hashKey(queryKey);
  const refresh = ofClient.get(id) ?? createRefresh(client, queryKey);
  ofClient.set(id, refresh);
  return refresh;
}

function createRefresh(client: QueryClient, queryKey: QueryKey) {
  const markedOn = new Set<Entity>();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isOutdated = false;
  let endedAt = -Infinity;

  const mark = (): void =>
    client
      .getQueryCache()
      .findAll({ queryKey, type: 'inactive' })
      .forEach((query) => query.invalidate());

  /**
   * Waits for a request in flight, which may have read its data before the change: a cancelled request does not stop
   * the server, and slow data would never arrive.
   */
  async function run(restMs: number): Promise<void> {
    waiting = undefined;
    isRunning = true;
    await client.refetchQueries({ queryKey, fetchStatus: 'fetching' }, { cancelRefetch: false });
    await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    isRunning = false;
    endedAt = performance.now();
    if (isOutdated) schedule(restMs);
  }

  function schedule(restMs: number): void {
    isOutdated = isRunning;
    if (isRunning) return;
    const delayMs = Math.max(BATCH_MS, endedAt + restMs - performance.now());
    waiting ??= setTimeout(() => void run(restMs), delayMs + Math.random() * JITTER_MS);
  }

  onLiveGap(mark);
  return {
    schedule,
    /** Marks queries as stale after events while no screen uses them, so that the next screen loads them again. */
    markStaleOn(kinds: readonly Entity[]): void {
      for (const kind of kinds) {
        if (!markedOn.has(kind)) onLiveEvent(kind, mark);
        markedOn.add(kind);
      }
    },
  };
}

/**
 * Invalidates the queries under `queryKey` if one of these entities changes or may have changed. Queries that no screen
 * uses are loaded again by the next one.
 * @param entities stable, like `queryKey`: defined at module level
 * @param restMs minimum time between the end of a refresh and the next one, in milliseconds; longer for expensive data
 */
export function useLiveRefresh(
  entities: Entity | readonly Entity[],
  queryKey: QueryKey,
  restMs = REST_MS,
): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = refreshOf(client, queryKey);
    const schedule = (): void => refresh.schedule(restMs);
    const kinds = typeof entities === 'string' ? [entities] : entities;
    refresh.markStaleOn(kinds);
    const stops = [...kinds.map((entity) => onLiveEvent(entity, schedule)), onLiveGap(schedule)];
    return () => stops.forEach((stop) => stop());
  }, [client, entities, queryKey, restMs]);
}

/**
 * `useQuery` with `useLiveRefresh`.
 * @param queryKey default: that of the query. A query with an input needs a prefix of its key that is defined at module level
 */
export function useLiveQuery<F, T = F, K extends QueryKey = QueryKey>(
  query: UseQueryOptions<F, Error, T, K>,
  entities: Entity | readonly Entity[],
  queryKey: QueryKey = query.queryKey,
  restMs?: number,
): UseQueryResult<T> {
  const result = useQuery(query);
  useLiveRefresh(entities, queryKey, restMs);
  return result;
}

function dispatch(relayed: Relayed): void {
  if (relayed.kind === 'gap') gapHandlers.forEach((handler) => handler());
  else if (relayed.kind === 'job') jobHandlers.forEach((handler) => handler(relayed.job.jobId));
  else if (relayed.kind === 'presence') presenceHandlers.forEach((handler) => handler(relayed.presence));
  else if (relayed.kind === 'permissions') {
    // Loaded data, and the rows of recent events, may depend on the former permissions.
    const isNewRole = relayed.record.role !== currentSession().user?.role;
    const isChanged = receivePermissions(relayed.record);
    if (isNewRole || isChanged) recent.length = 0;
    if (isNewRole) void refreshUser();
    if (isChanged) gapHandlers.forEach((handler) => handler());
  } else {
    const at = performance.now();
    recent.push({ at, event: relayed.event });
    while (at - recent[0]!.at >= KEPT_MS) recent.shift();
    handlers.get(relayed.event.entity)?.forEach((handler) => handler(relayed.event));
  }
}

/**
 * Connects to live events while a user is signed in. One tab of the browser has the connection and relays every event
 * to the others (docs/product/api.md, Live events). A tab that views as another user has its own connection with that
 * user's events and relays nothing. Returns a function that disconnects.
 */
export function startLiveEvents(): () => void {
  if (viewing !== null) {
    const connection = createConnection(dispatch);
    connection.lead(true);
    return connection.stop;
  }
  const tab = newKey();
  const channel = new BroadcastChannel('live-events');
  channel.addEventListener('message', ({ data }: MessageEvent<Relayed>) => dispatch(data));
  const connection = createConnection((relayed) => {
    dispatch(relayed);
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(relayed);
  });
  // A separate channel, because tabs of an earlier release take every message of the other one for an event.
  const replays = new BroadcastChannel('live-event-replays');
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const replay = (message: Replay): void => replays.postMessage(message);
  replays.addEventListener('message', ({ data }: MessageEvent<Replay>) => {
    if (data.tab === tab) {
      // The events that this tab has received itself are later ones.
      const keyOf = ({ entity, recordId }: LiveEvent) => `${entity} ${recordId}`;
      const received = new Set(recentEvents().map(keyOf));
      for (const event of data.events ?? [])
        if (!received.has(keyOf(event))) dispatch({ kind: 'event', event });
    } else if (data.events === null && connection.isOpen()) replay({ ...data, events: recentEvents() });
  });
  replay({ tab, events: null });
  const stopElection = electLeader('live-events-leader', connection.lead);
  return () => {
    stopElection();
    connection.stop();
    channel.close();
    replays.close();
  };
}

/** The connection of this tab, open while it is the leader. */
function createConnection(relay: (relayed: Relayed) => void) {
  let leads = false;
  let connected: { token: string; stop: AbortController } | null = null;
  let session = currentSession().token;
  /** Start of the period in which this session may have loaded data, in ms since the page was opened. */
  let since = 0;

  /**
   * Connects, reconnects or disconnects, so that the connection has the current token. Before a required password
   * change or two-step set-up the server refuses a connection.
   */
  const reconcile = (): void => {
    const { token: present, user } = currentSession();
    if (present !== session) {
      [session, since] = [present, performance.now()];
      // Their rows are what the former user could see.
      recent.length = 0;
    }
    const canConnect = user !== null && !user.forcePasswordChange && !user.mustSetUpTwoStep;
    const token = leads && canConnect ? present : null;
    if (token === (connected?.token ?? null)) return;
    connected?.stop.abort();
    connected = token === null ? null : { token, stop: new AbortController() };
    if (connected !== null) void keepConnected(connected.token, connected.stop.signal, relay, since);
  };

  const stopFollowing = subscribeSession(reconcile);
  return {
    isOpen: (): boolean => connected !== null,
    lead: (chosen: boolean): void => {
      leads = chosen;
      reconcile();
    },
    stop: (): void => {
      stopFollowing();
      connected?.stop.abort();
    },
  };
}

async function keepConnected(
  token: string,
  signal: AbortSignal,
  relay: (relayed: Relayed) => void,
  since: number,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  let from = since;
  while (!signal.aborted) {
    try {
      await listen(
        token,
        signal,
        (relayed) => {
          wait = FIRST_WAIT_MS;
          relay(relayed);
        },
        from,
      );
    } catch {
      // A refused connection is retried like a lost one.
    }
    if (signal.aborted) return;
    from = -Infinity;
    await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
    wait = Math.min(wait * 2, LAST_WAIT_MS);
  }
}

/**
 * Opens a connection and reads it to its end.
 * @param since start of the period whose events may have been missed
 */
async function listen(
  token: string,
  signal: AbortSignal,
  relay: (relayed: Relayed) => void,
  since: number,
): Promise<void> {
  const hasMissedEvents = (): boolean => performance.now() - since > REPEATED_MS;
  const silence = new AbortController();
  const untilSilent = <R>(work: Promise<R>): Promise<R> => {
    const timer = setTimeout(() => silence.abort(), QUIET_MS);
    return work.finally(() => clearTimeout(timer));
  };
  // Repeats recent events, because the page may have loaded its data shortly before it connects.
  const request = fetch(addressOf('/events', {}, hasMissedEvents() ? {} : { recent: '1' }), {
    headers: { ...requestHeaders(token), accept: 'text/event-stream', 'x-background': '1' },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  const response = await untilSilent(request);
  if (!response.ok || response.body === null) {
    // `refreshUser` handles an ended session.
    if ([401, 403].includes(response.status)) await refreshUser();
    return;
  }
  // Checked again, because connecting may have taken long.
  if (hasMissedEvents()) relay({ kind: 'gap' });
  let presence: PresentPeople | null = null;
  const read = createStreamReader(({ event, data }) => {
    if (event === 'end') void refreshUser();
    else if (event === 'permissions') {
      relay({ kind: 'permissions', record: JSON.parse(data) as LivePermissions });
    } else if (event === 'presence') {
      presence = mergePresence(presence, JSON.parse(data) as LivePresence);
      relay({ kind: 'presence', presence });
    } else if (event === 'job') {
      relay({ kind: 'job', job: JSON.parse(data) as LiveJob });
    } else relay({ kind: 'event', event: JSON.parse(data) as LiveEvent });
  });
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await untilSilent(chunks.read());
    if (done) return;
    read(value);
  }
}
