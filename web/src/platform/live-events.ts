import type { LiveEvent } from '@forecourt/contract/events';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf, requestHeaders } from './api.ts';
import { createStreamReader } from './event-stream.ts';
import { currentSession, refreshUser, subscribeSession } from './session.ts';
import { electLeader } from './tab-leader.ts';

type Entity = LiveEvent['entity'];
type Handler = (event: LiveEvent) => void;

/** What the tab with the connection passes on to the others. A gap: events may have been missed. */
type Relayed = { kind: 'event'; event: LiveEvent } | { kind: 'gap' };

/** Waits between attempts to connect, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 30_000;

/** The server says something every 15 s. A line that is quiet for longer than this is dead. */
const QUIET_MS = 45_000;

const handlers = new Map<Entity, Set<Handler>>();
const gapHandlers = new Set<() => void>();

/** Calls the handler for every event about such a record. Returns a function that stops it. */
export function onLiveEvent(entity: Entity, handler: Handler): () => void {
  const known = handlers.get(entity) ?? new Set();
  handlers.set(entity, known.add(handler));
  return () => known.delete(handler);
}

/** Calls the handler after the connection was away: what is shown may be older than the last event. */
export function onLiveGap(handler: () => void): () => void {
  gapHandlers.add(handler);
  return () => gapHandlers.delete(handler);
}

/**
 * Loads the queries under `queryKey` again whenever such a record changes somewhere, or may have.
 * @param queryKey stable: made at module level
 */
export function useLiveRefresh(entity: Entity, queryKey: QueryKey): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = (): void => void client.invalidateQueries({ queryKey });
    const stops = [onLiveEvent(entity, refresh), onLiveGap(refresh)];
    return () => stops.forEach((stop) => stop());
  }, [client, entity, queryKey]);
}

function hand(relayed: Relayed): void {
  if (relayed.kind === 'gap') gapHandlers.forEach((handler) => handler());
  else handlers.get(relayed.event.entity)?.forEach((handler) => handler(relayed.event));
}

/**
 * Keeps live events coming while somebody is signed in. One tab of the browser holds the connection and passes
 * everything on (product section 3). Returns a function that stops it.
 */
export function startLiveEvents(): () => void {
  const channel = new BroadcastChannel('live-events');
  channel.addEventListener('message', ({ data }: MessageEvent<Relayed>) => hand(data));
  const relay = (relayed: Relayed): void => {
    hand(relayed);
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(relayed);
  };

  let leads = false;
  let connected: { token: string; stop: AbortController } | null = null;

  /**
   * Connects, changes over or disconnects, so that the connection is that of the present token. Before a
   * required password change the server would refuse it.
   */
  const settle = (): void => {
    const { token: present, user } = currentSession();
    const token = leads && user?.forcePasswordChange === false ? present : null;
    if (token === (connected?.token ?? null)) return;
    connected?.stop.abort();
    connected = token === null ? null : { token, stop: new AbortController() };
    if (connected !== null) void stayConnected(connected.token, connected.stop.signal, relay);
  };

  const stopElection = electLeader('live-events-leader', (chosen) => {
    leads = chosen;
    settle();
  });
  const stopFollowing = subscribeSession(settle);
  return () => {
    stopElection();
    stopFollowing();
    connected?.stop.abort();
    channel.close();
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
  const answer = await fetch(addressOf('/events'), {
    headers: { ...requestHeaders(token), accept: 'text/event-stream', 'x-background': '1' },
    signal,
  });
  if (!answer.ok || answer.body === null) {
    // Who was signed out meanwhile learns it from an ordinary call, which knows what follows.
    if (answer.status === 401) await refreshUser();
    return;
  }
  if (missedSome) relay({ kind: 'gap' });
  const read = createStreamReader(({ event, data }) => {
    if (event === 'end') void refreshUser();
    else relay({ kind: 'event', event: JSON.parse(data) as LiveEvent });
  });
  const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const tooQuiet = setTimeout(() => void pieces.cancel(), QUIET_MS);
    const { done, value } = await pieces.read().finally(() => clearTimeout(tooQuiet));
    if (done) return;
    read(value);
  }
}
