// Many people at work at once: each acts every five seconds or so, whether the server is quick or not.
import { actsOf } from './acts.mjs';
import { openBrowser, openStream } from './browser.mjs';
import { createTimes } from './times.mjs';

const PERIOD_MS = 5000;
/** The page says where its person is when that changes, not more often than this, and again after so long (presence-sender.ts). */
const TURN_MS = 1100;
const PRESENT_AGAIN_MS = 10_000;
/** So many failures are told in full. */
const FIRST_FAILURES = 10;
/** So many connect at the same time in the morning. */
const CONNECT_AT_ONCE = 25;

/**
 * Sits everybody down: live stream open, nothing asked yet. `news` hears what the streams tell; `work` begins and `stop` ends
 * what people do. What is done while `phase.counts` is in `figures`, and in `busyFigures` as well while `phase.isBusy`.
 */
export async function seat({ staff, portOf, month, random, news }) {
  const phase = { counts: false, isBusy: false };
  const kinds = () => ({
    read: createTimes(),
    write: createTimes(),
    search: createTimes(),
    presence: createTimes(),
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
        if (kind === 'change') news.heard(person.place, data);
      },
      onEnd: () => (droppedStreams += isOver ? 0 : 1),
    });
  for (let at = 0; at < staff.length; at += CONNECT_AT_ONCE)
    streams.push(...(await Promise.all(staff.slice(at, at + CONNECT_AT_ONCE).map(connect))));

  const browsers = staff.map((person) => openBrowser({ port: portOf(person), token: person.token }));

  /** Runs something later; answers how to call it off. */
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

  /** One call; it counts from when somebody wanted it, however late it left. */
  async function ask(person, kind, wanted, { method, path, body, headers }) {
    const { counts, isBusy } = phase;
    const answer = await browsers[person.place].call({ method, path, body, headers });
    const ms = performance.now() - wanted;
    if (counts) figures[kind].add(ms);
    if (counts && isBusy) busyFigures[kind].add(ms);
    if (answer.status < 300) return answer;
    // Two turns came closer together on the way: the page says it again later.
    if (kind === 'presence' && answer.status === 429) return undefined;
    noteRefusal(answer.status, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.read())}`);
    return undefined;
  }

  async function act(person, wanted, { kind, make }) {
    const wish = make();
    const { row, result } = wish;
    if (row) moveTo(person, row);
    const isEdit = row && result;
    const { counts } = phase;
    if (isEdit) row.isBusy = true;
    const answer = await ask(person, kind, wanted, wish);
    if (isEdit) row.isBusy = false;
    if (!answer || !result) return;
    const change = result(answer.read());
    if (row) row.version = change.version;
    else person.rows.push(change);
    (row ?? change).isWritten = true;
    news.answered({ ...change, by: person.place, counts });
  }

  const go = (person, wanted, one) => {
    const run = act(person, wanted, one).catch((error) => {
      noteRefusal(error.code ?? 'error', String(error));
    });
    running.add(run);
    void run.finally(() => running.delete(run));
  };

  function sayIn(ms, person) {
    person.callOff?.();
    person.callOff = later(ms, () => {
      person.lastTurn = performance.now();
      sayIn(PRESENT_AGAIN_MS, person);
      const headers = { 'x-background': '1' };
      const make = () => ({ method: 'POST', path: '/events/presence', body: person.at, headers });
      go(person, performance.now(), { kind: 'presence', make });
    });
  }
  function moveTo(person, row) {
    person.at = row ? { month, dealId: row.id, column: 'notes' } : { month };
    sayIn(Math.max(0, (person.lastTurn ?? 0) + TURN_MS - performance.now()), person);
  }

  function keepActing(person, acts, first) {
    const weights = acts.reduce((sum, { weight }) => sum + weight, 0);
    const choose = () => {
      let left = random() * weights;
      return acts.find(({ weight }) => (left -= weight) < 0) ?? acts[0];
    };
    let wanted = first;
    const turn = () => {
      go(person, wanted, choose());
      wanted += PERIOD_MS * (0.8 + 0.4 * random());
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
        const acts = actsOf(person, { month, everyone: staff, random });
        const first = now + random() * PERIOD_MS;
        later(first - now, () => moveTo(person));
        keepActing(person, acts, first + random() * PERIOD_MS);
      }
    },
    /** Nobody begins anything more; resolves when everything has been answered. */
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
