import type { LivePresence } from '@forecourt/contract/presence';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { createLog } from '../log.ts';
import type { Notices } from './notices.ts';
import { createPresence, type Place } from './presence.ts';

const MONTH = '2026-11';
const at = (dealId: string, month = MONTH): Place => ({ month, cell: { dealId, column: 'notes' } });
const viewerOf = (name: string, sessionId = name): Viewer => ({ sessionId, userId: name, name }) as Viewer;

/** Notices between instances in this process, at once. Counts those that were sent. */
function createBus() {
  const handlers = new Map<string, ((value: string) => void)[]>();
  const sent: string[] = [];
  const notices: Notices = {
    on: (topic, handler) => void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    async send(_db, topic, value) {
      sent.push(value);
      for (const handler of handlers.get(topic) ?? []) handler(value);
    },
    areHeard: () => true,
    close: async () => {},
  };
  return { notices, sent };
}

let bus: ReturnType<typeof createBus>;
let instances: ReturnType<typeof createPresence>[];
const deps = () => ({ db: null as unknown as Db, notices: bus.notices, log: createLog('silent') });
beforeEach(() => {
  vi.useFakeTimers();
  bus = createBus();
  // What starts with `secret` is for nobody's eyes.
  const judgeOf = async () => (_viewer: Viewer, place: Place) =>
    place.cell?.dealId.startsWith('secret') ? { ...place, cell: null } : place;
  instances = [createPresence({ ...deps(), judgeOf }), createPresence({ ...deps(), judgeOf })];
});
afterEach(() => {
  for (const instance of instances) instance.stop();
  vi.useRealTimers();
});

/** Listens on an instance, and keeps what is told. */
function listen(instance: number, viewer: Viewer) {
  const told: LivePresence[] = [];
  const stop = instances[instance]!.listen({
    sessionId: viewer.sessionId,
    viewer: async () => viewer,
    deliver: (words) => void told.push(JSON.parse(words)),
  });
  return { told, stop };
}
const soon = () => vi.advanceTimersByTimeAsync(200);

const [kim, lee] = [viewerOf('kim'), viewerOf('lee')];

describe('who is where', () => {
  test('is told on every instance to those who have the same month open, and to nobody else', async () => {
    const [kims, lees, others] = [listen(0, kim), listen(1, lee), listen(1, viewerOf('mo'))];
    instances[0]!.say(kim, { month: MONTH, cell: null });
    instances[1]!.say(lee, at('d-1'));
    instances[1]!.say(viewerOf('mo'), { month: '2026-10', cell: null });
    await soon();
    expect(kims.told.at(-1)).toEqual({
      month: MONTH,
      people: [{ _id: 'lee', name: 'lee', cell: { dealId: 'd-1', column: 'notes' } }],
    });
    expect(lees.told.at(-1)!.people).toEqual([{ _id: 'kim', name: 'kim', cell: null }]);
    expect(others.told).toEqual([{ month: '2026-10', people: [] }]);
  });

  test('leaves out the cell that a reader may not see', async () => {
    const { told } = listen(0, kim);
    instances[0]!.say(kim, { month: MONTH, cell: null });
    instances[0]!.say(lee, at('secret-1'));
    await soon();
    expect(told.at(-1)!.people).toEqual([{ _id: 'lee', name: 'lee', cell: null }]);
  });

  test('is told once, however often it is said', async () => {
    const { told } = listen(0, kim);
    instances[0]!.say(kim, { month: MONTH, cell: null });
    instances[0]!.say(lee, at('d-1'));
    await soon();
    const before = told.length;
    await vi.advanceTimersByTimeAsync(1000);
    instances[0]!.say(lee, at('d-1'));
    await soon();
    expect(told).toHaveLength(before);
  });

  test('is the newest place of somebody with two sessions', async () => {
    const { told } = listen(0, kim);
    instances[0]!.say(kim, { month: MONTH, cell: null });
    for (const session of ['lee-1', 'lee-2']) {
      instances[0]!.say(viewerOf('lee', session), at(session));
      await soon();
    }
    expect(told.at(-1)!.people).toMatchObject([{ cell: { dealId: 'lee-2' } }]);
  });
});

describe('somebody is gone', () => {
  const peopleAfter = async (act: () => unknown) => {
    const { told } = listen(0, kim);
    instances[0]!.say(kim, { month: MONTH, cell: null });
    instances[1]!.say(lee, at('d-1'));
    await soon();
    expect(told.at(-1)!.people).toHaveLength(1);
    await act();
    await soon();
    return told.at(-1)!.people;
  };

  test('at once when they leave', async () => {
    expect(await peopleAfter(() => instances[1]!.say(lee, null))).toEqual([]);
  });

  test('at once when something of theirs is revoked', async () => {
    expect(await peopleAfter(() => bus.notices.send(null as never, 'revoked', 'lee'))).toEqual([]);
  });

  /** Kim goes on to say where they are, Lee said it once. */
  const peopleAfterSeconds = (seconds: number) =>
    peopleAfter(async () => {
      for (let passed = 0; passed < seconds; passed += 5) {
        await vi.advanceTimersByTimeAsync(5000);
        instances[0]!.say(kim, { month: MONTH, cell: null });
      }
    });

  test('after 30 s without news', async () => {
    expect(await peopleAfterSeconds(35)).toEqual([]);
  });

  test('and not before', async () => {
    expect(await peopleAfterSeconds(25)).toHaveLength(1);
  });
});

describe('saying it', () => {
  const refused = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' });

  test('is taken once a second from a session, on all instances together; leaving always', async () => {
    instances[0]!.say(kim, at('d-1'));
    expect(() => instances[0]!.say(kim, at('d-2'))).toThrow(refused);
    await soon();
    expect(() => instances[1]!.say(kim, at('d-2'))).toThrow(refused);
    instances[1]!.say(kim, null);
    instances[0]!.say(viewerOf('kim', 'another session'), at('d-2'));
    await vi.advanceTimersByTimeAsync(1000);
    instances[1]!.say(kim, at('d-2'));
  });

  test('by many at once is few notices', async () => {
    for (let number = 0; number < 25; number += 1) instances[0]!.say(viewerOf(`p-${number}`), at('d-1'));
    await soon();
    expect(bus.sent).toHaveLength(3);
    const longest = { name: 'é'.repeat(120), sessionId: 's'.repeat(36), userId: 'u'.repeat(36) };
    for (let number = 0; number < 10; number += 1) {
      const viewer = { ...longest, sessionId: `${number}`.padStart(36) } as Viewer;
      instances[0]!.say(viewer, at('d'.repeat(36)));
    }
    await soon();
    expect(Buffer.byteLength(bus.sent.at(-1)!)).toBeLessThan(7900);
  });
});

describe('many people', () => {
  const person = (number: number, role = 'user'): Viewer => ({ ...viewerOf(`p-${number}`), role }) as Viewer;
  const sayAll = (people: readonly Viewer[], dealId: string) => {
    for (const viewer of people) instances[0]!.say(viewer, at(dealId));
  };

  test('with the same rights are judged once for all of them, each with the others', async () => {
    let judged = 0;
    instances[2] = createPresence({
      ...deps(),
      judgeOf: async () => (viewer, place) => {
        judged += 1;
        return viewer.role === 'admin' ? place : { ...place, cell: null };
      },
    });
    const people = [person(1), person(2), person(3), person(4, 'admin')];
    const heard = people.map((viewer) => listen(2, viewer));
    sayAll(people, 'd-1');
    await soon();
    expect(judged).toBe(people.length * 2);
    for (const [place, { told }] of heard.entries()) {
      const { people: others } = told.at(-1)!;
      expect(others.map(({ _id }) => _id)).toEqual(
        people.flatMap(({ userId }) => (userId === people[place]!.userId ? [] : userId)),
      );
      expect(others.every(({ cell }) => (cell === null) === (people[place]!.role === 'user'))).toBe(true);
    }
  });

  test('are told when another moves, and not when they do so themselves', async () => {
    const people = [person(1), person(2), person(3)];
    const heard = people.map((viewer) => listen(0, viewer));
    sayAll(people, 'd-1');
    await soon();
    const before = heard.map(({ told }) => told.length);
    for (const round of [1, 2]) {
      await vi.advanceTimersByTimeAsync(1000);
      instances[0]!.say(people[0]!, at(`d-${round + 1}`));
      await soon();
      expect(heard.map(({ told }, place) => told.length - before[place]!)).toEqual([0, round, round]);
    }
    expect(heard[1]!.told.at(-1)!.people[0]).toMatchObject({ _id: 'p-1', cell: { dealId: 'd-3' } });
    await vi.advanceTimersByTimeAsync(1000);
    instances[0]!.say(people[1]!, at('d-9'));
    await soon();
    // Who has been told of nothing while they moved knows all the same where the others are.
    expect(heard[0]!.told.at(-1)!.people).toMatchObject([{ _id: 'p-2', cell: { dealId: 'd-9' } }, {}]);
  });

  test('who come late are told of everybody', async () => {
    sayAll([person(1), person(2)], 'd-1');
    listen(0, person(1));
    await soon();
    const { told } = listen(0, person(2));
    await soon();
    expect(told).toMatchObject([{ people: [{ _id: 'p-1' }] }]);
  });

  test('are told again only after ten times as long as telling took', async () => {
    const rounds: number[] = [];
    instances[2] = createPresence({
      ...deps(),
      async judgeOf() {
        rounds.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, 100));
        return (_viewer, place) => place;
      },
    });
    for (let number = 0; number < 30; number += 1) {
      instances[2].say(person(number), at('d-1'));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(rounds).toHaveLength(3);
    for (const [place, begun] of rounds.entries())
      if (place > 0) expect(begun - rounds[place - 1]!).toBeGreaterThanOrEqual(1000);
  });
});
