import { openBrowser, openStream } from './browser.mjs';
import { createHistogram } from './times.mjs';
// Many simultaneous users: each acts about every five seconds, regardless of the response times.
import { actionsOf, changesOf, refreshOf } from './user-actions.mjs';

const PERIOD_MS = 5000;
/** The page sends its position when it changes, at most this often, and repeats it periodically (presence.ts). */
const TURN_MS = 1100;
const PRESENT_AGAIN_MS = 10_000;
/** A page requests figures that changed after this time, at most so often, and later by a random part of the jitter. */
const REFRESH_BATCH_MS = 100;
const REFRESH_MS = 1000;
const REFRESH_JITTER_MS = 500;
/** Number of failures that are printed completely. */
const FIRST_FAILURES = 10;
/** Users who connect simultaneously at the start. */
const CONNECT_AT_ONCE = 25;

/**
 * Opens a live stream for each user, without other requests. `latency` gets the events of the streams; `work` starts and
 * `stop` ends the actions. Actions during `phase.counts` are counted in `figures`, and in `busyFigures` too during
 * `phase.isBusy`. With `changes`, all users together change so many cells a second and do nothing else.
 */
export async function startSimulation({ staff, portOf, month, random, latency, changes }) {
  const periodMs = changes ? (1000 * staff.length) / changes : PERIOD_MS;
  const phase = { counts: false, isBusy: false };
  const kinds = () => ({
    read: createHistogram(),
    write: createHistogram(),
    search: createHistogram(),
    presence: createHistogram(),
  });
  const [figures, busyFigures] = [kinds(), kinds()];
  const refused = new Map();
  const failures = [];
  let [droppedStreams, isOver, messages] = [0, false, 0];
  const noteRefusal = (why, words) => {
    refused.set(why, (refused.get(why) ?? 0) + 1);
    if (failures.length < FIRST_FAILURES && words) failures.push(words);
  };
  const running = new Set();
  const timers = new Set();

  const streams = [];
  const connect = (person) =>
    openStream({
      port: portOf(person),
      token: person.token,
      onMessage(kind, data) {
        messages += 1;
        if (kind !== 'change') return;
        latency.received(person.place, data);
        refreshSearch(person);
      },
      onEnd: () => (droppedStreams += isOver ? 0 : 1),
    });
  for (let at = 0; at < staff.length; at += CONNECT_AT_ONCE)
    streams.push(...(await Promise.all(staff.slice(at, at + CONNECT_AT_ONCE).map(connect))));

  const browsers = staff.map((person) => openBrowser({ port: portOf(person), token: person.token }));

  /** Runs `run` later; returns a function that cancels it. */
  function later(ms, run) {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  }

  /** Sends one request. Its time starts when the user intended it, even if it was sent later. */
  async function send(person, kind, wanted, { method, path, body, headers }) {
    const { counts, isBusy } = phase;
    const response = await browsers[person.place].call({ method, path, body, headers });
    const ms = performance.now() - wanted;
    if (counts) figures[kind].add(ms);
    if (counts && isBusy) busyFigures[kind].add(ms);
    if (response.status < 300) return response;
    // Two updates arrived closer together than they were sent: the page repeats it later.
    if (kind === 'presence' && response.status === 429) return undefined;
    noteRefusal(response.status, `${method} ${path}: ${response.status} ${JSON.stringify(response.read())}`);
    return undefined;
  }

  /** Requests the sums of a search that a page shows, as `useLiveRefresh` does. */
  function refreshSearch(person) {
    if (person.search === undefined || person.refreshes) return;
    person.refreshes = true;
    const wait = Math.max(REFRESH_BATCH_MS, (person.refreshedAt ?? 0) + REFRESH_MS - performance.now());
    later(wait + random() * REFRESH_JITTER_MS, () => {
      person.refreshes = false;
      person.refreshedAt = performance.now();
      if (person.search === undefined) return;
      go(person, performance.now(), { kind: 'search', make: () => refreshOf(person.search) });
    });
  }

  async function act(person, wanted, { kind, make, at }) {
    if (at) moveTo(person, at());
    await Promise.all([make()].flat().map((wish) => sendWish(person, wanted, kind, wish)));
  }

  async function sendWish(person, wanted, kind, wish) {
    const { row, result, next } = wish;
    if (row) moveTo(person, row);
    const isEdit = row && result;
    const { counts } = phase;
    if (isEdit) row.isBusy = true;
    const response = await send(person, kind, wanted, wish);
    if (isEdit) row.isBusy = false;
    const following = response && next?.(response.read());
    if (following) await sendWish(person, performance.now(), following.kind ?? kind, following);
    if (!response || !result) return;
    const change = result(response.read());
    if (row) row.version = change.version;
    else person.rows.push(change);
    (row ?? change).isWritten = true;
    latency.acknowledged({ ...change, by: person.place, counts });
  }

  const go = (person, wanted, one) => {
    const run = act(person, wanted, one).catch((error) => {
      noteRefusal(error.code ?? 'error', String(error));
    });
    running.add(run);
    void run.finally(() => running.delete(run));
  };

  function publishIn(ms, person) {
    person.callOff?.();
    person.callOff = later(ms, () => {
      person.lastTurn = performance.now();
      publishIn(PRESENT_AGAIN_MS, person);
      const headers = { 'x-background': '1' };
      const make = () => ({ method: 'POST', path: '/events/presence', body: person.at, headers });
      go(person, performance.now(), { kind: 'presence', make });
    });
  }
  function moveTo(person, row) {
    person.at = row ? { month, dealId: row.id, column: 'notes' } : { month };
    publishIn(Math.max(0, (person.lastTurn ?? 0) + TURN_MS - performance.now()), person);
  }

  function scheduleActions(person, actions, first) {
    const weights = actions.reduce((sum, { weight }) => sum + weight, 0);
    const choose = () => {
      let left = random() * weights;
      return actions.find(({ weight }) => (left -= weight) < 0) ?? actions[0];
    };
    let wanted = first;
    const turn = () => {
      // The next action leaves a search.
      person.search = undefined;
      go(person, wanted, choose());
      wanted += periodMs * (0.8 + 0.4 * random());
      later(wanted - performance.now(), turn);
    };
    later(wanted - performance.now(), turn);
  }

  return {
    phase,
    figures,
    busyFigures,
    refused,
    noteRefusal,
    failures,
    droppedStreams: () => droppedStreams,
    messages: () => messages,
    work() {
      const now = performance.now();
      for (const person of staff) {
        const actions = changes
          ? changesOf(person, random)
          : actionsOf(person, { month, everyone: staff, random });
        const first = now + random() * PRESENT_AGAIN_MS;
        later(first - now, () => moveTo(person));
        scheduleActions(person, actions, first + random() * periodMs);
      }
    },
    /** Stops starting actions; resolves when every request has a response. */
    async rest() {
      for (const timer of timers) clearTimeout(timer);
      while (running.size > 0) await Promise.all(running);
    },
    leave() {
      isOver = true;
      for (const stream of streams) stream.close();
      for (const browser of browsers) browser.close();
    },
  };
}
