import type { LiveEvent, LiveJob, LivePermissions } from '@forecourt/contract/events';
import type { LivePresence } from '@forecourt/contract/presence';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf, requestHeaders } from './api.ts';
import { createStreamReader } from './event-stream.ts';
import { takePermissions } from './permissions.ts';
import { currentSession, refreshUser, subscribeSession } from './session.ts';
import { electLeader } from './tab-leader.ts';
import { viewing } from './view-as.ts';

type Entity = LiveEvent['entity'];
type Handler = (event: LiveEvent) => void;

/** What the tab with the connection passes on to the others. A gap: events may have been missed. */
type Relayed =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'permissions'; record: LivePermissions }
  | { kind: 'job'; job: LiveJob }
  | { kind: 'presence'; presence: LivePresence }
  | { kind: 'gap' };

/** Waits between attempts to connect, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 30_000;

/** The server says something every 15 s. A line that is quiet for longer than this is dead. */
const QUIET_MS = 45_000;

/** A change of many records comes as many events: within this time, in milliseconds, they are one reason to load. */
const GATHER_MS = 100;

const handlers = new Map<Entity, Set<Handler>>();
const gapHandlers = new Set<() => void>();
const jobHandlers = new Set<(jobId: string) => void>();
const presenceHandlers = new Set<(presence: LivePresence) => void>();

/** Calls the handler for every event about such a record. Returns a function that stops it. */
export function onLiveEvent(entity: Entity, handler: Handler): () => void {
  const known = handlers.get(entity) ?? new Set();
  handlers.set(entity, known.add(handler));
  return () => known.delete(handler);
}

/** Calls the handler whenever a piece of work of this person went on. Returns a function that stops it. */
export function onLiveJob(handler: (jobId: string) => void): () => void {
  jobHandlers.add(handler);
  return () => jobHandlers.delete(handler);
}

/** Calls the handler whenever somebody else came, went or moved in a month that this browser has open. */
export function onPresence(handler: (presence: LivePresence) => void): () => void {
  presenceHandlers.add(handler);
  return () => presenceHandlers.delete(handler);
}

/** Calls the handler after the connection was away: what is shown may be older than the last event. */
export function onLiveGap(handler: () => void): () => void {
  gapHandlers.add(handler);
  return () => gapHandlers.delete(handler);
}

/**
 * Loads the queries under `queryKey` again whenever such a record changes somewhere, or may have.
 * @param entities of one kind or of several; stable as `queryKey` is: made at module level
 * @param restMs between two loads, in milliseconds: for what is added up from all records and costs accordingly
 */
export function useLiveRefresh(entities: Entity | readonly Entity[], queryKey: QueryKey, restMs = 0): void {
  const client = useQueryClient();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let rested = 0;
    const refresh = (): void => {
      waiting = undefined;
      rested = performance.now() + restMs;
      void client.invalidateQueries({ queryKey });
    };
    const gather = (): void => {
      waiting ??= setTimeout(refresh, Math.max(GATHER_MS, rested - performance.now()));
    };
    const kinds = typeof entities === 'string' ? [entities] : entities;
    const stops = [...kinds.map((entity) => onLiveEvent(entity, gather)), onLiveGap(gather)];
    return () => {
      stops.forEach((stop) => stop());
      if (waiting === undefined) return;
      clearTimeout(waiting);
      refresh();
    };
  }, [client, entities, queryKey, restMs]);
}

function hand(relayed: Relayed): void {
  if (relayed.kind === 'gap') gapHandlers.forEach((handler) => handler());
  else if (relayed.kind === 'job') jobHandlers.forEach((handler) => handler(relayed.job.jobId));
  else if (relayed.kind === 'presence') presenceHandlers.forEach((handler) => handler(relayed.presence));
  else if (relayed.kind === 'permissions') {
    // What is on the screen was loaded with other rights.
    if (takePermissions(relayed.record)) gapHandlers.forEach((handler) => handler());
  } else handlers.get(relayed.event.entity)?.forEach((handler) => handler(relayed.event));
}

/**
 * Keeps live events coming while somebody is signed in. One tab of the browser holds the connection and passes
 * everything on (product section 3). A tab that shows the product as somebody else hears what they hear: it has
 * a connection of its own and shares nothing. Returns a function that stops it.
 */
export function startLiveEvents(): () => void {
  if (viewing !== null) {
    const connection = keepConnected(hand);
    connection.lead(true);
    return connection.stop;
  }
  const channel = new BroadcastChannel('live-events');
  channel.addEventListener('message', ({ data }: MessageEvent<Relayed>) => hand(data));
  const connection = keepConnected((relayed) => {
    hand(relayed);
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(relayed);
  });
  const stopElection = electLeader('live-events-leader', connection.lead);
  return () => {
    stopElection();
    connection.stop();
    channel.close();
  };
}

/** The connection of this tab, while it `lead`s. */
function keepConnected(relay: (relayed: Relayed) => void) {
  let leads = false;
  let connected: { token: string; stop: AbortController } | null = null;

  /**
   * Connects, changes over or disconnects, so that the connection is that of the present token. Before a
   * required password change or two-step sign-in the server would refuse it.
   */
  const settle = (): void => {
    const { token: present, user } = currentSession();
    const mayEnter = user !== null && !user.forcePasswordChange && !user.mustSetUpTwoStep;
    const token = leads && mayEnter ? present : null;
    if (token === (connected?.token ?? null)) return;
    connected?.stop.abort();
    connected = token === null ? null : { token, stop: new AbortController() };
    if (connected !== null) void stayConnected(connected.token, connected.stop.signal, relay);
  };

  const stopFollowing = subscribeSession(settle);
  return {
    lead: (chosen: boolean): void => {
      leads = chosen;
      settle();
    },
    stop: (): void => {
      stopFollowing();
      connected?.stop.abort();
    },
  };
}

async function stayConnected(
  token: string,
  signal: AbortSignal,
  relay: (relayed: Relayed) => void,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  let missedSome = false;
  while (!signal.aborted) {
    try {
      await listen(
        token,
        signal,
        (relayed) => {
          wait = FIRST_WAIT_MS;
          relay(relayed);
        },
        missedSome,
      );
    } catch {
      // No connection, or it broke: both mean the same here.
    }
    if (signal.aborted) return;
    missedSome = true;
    await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
    wait = Math.min(wait * 2, LAST_WAIT_MS);
  }
}

/** One connection from its beginning to its end. */
async function listen(
  token: string,
  signal: AbortSignal,
  relay: (relayed: Relayed) => void,
  missedSome: boolean,
): Promise<void> {
  // What this page has loaded so far may be a moment older than the connection.
  const answer = await fetch(addressOf('/events', {}, missedSome ? {} : { recent: '1' }), {
    headers: { ...requestHeaders(token), accept: 'text/event-stream', 'x-background': '1' },
    signal,
  });
  if (!answer.ok || answer.body === null) {
    // Who was signed out meanwhile learns it from an ordinary call, which knows what follows.
    if ([401, 403].includes(answer.status)) await refreshUser();
    return;
  }
  if (missedSome) relay({ kind: 'gap' });
  const read = createStreamReader(({ event, data }) => {
    if (event === 'end') void refreshUser();
    else if (event === 'permissions') {
      relay({ kind: 'permissions', record: JSON.parse(data) as LivePermissions });
    } else if (event === 'presence') {
      relay({ kind: 'presence', presence: JSON.parse(data) as LivePresence });
    } else if (event === 'job') {
      relay({ kind: 'job', job: JSON.parse(data) as LiveJob });
    } else relay({ kind: 'event', event: JSON.parse(data) as LiveEvent });
  });
  const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const tooQuiet = setTimeout(() => void pieces.cancel(), QUIET_MS);
    const { done, value } = await pieces.read().finally(() => clearTimeout(tooQuiet));
    if (done) return;
    read(value);
  }
}
