import { defaultRecord } from '@forecourt/contract/permission-defaults';
import type { LivePresence } from '@forecourt/contract/presence';
import { mergePresence, type PresentPeople } from '@forecourt/contract/present-people';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { createLog } from '../log.ts';
import type { EventBus } from './event-bus.ts';
import { createPresence, type Place } from './presence.ts';

const MONTH = '2026-11';
const at = (dealId: string, month = MONTH): Place => ({ month, cell: { dealId, column: 'notes' } });
const viewerOf = (name: string, sessionId = name): Viewer =>
  ({
    sessionId,
    userId: name,
    name,
    permissions: defaultRecord as unknown as Viewer['permissions'],
    customColumns: [] as Viewer['customColumns'],
  }) as Viewer;

/** Synchronous messages between instances in this process. Counts those sent. */
function createBus() {
  const handlers = new Map<string, ((value: string) => void)[]>();
  const sent: string[] = [];
  const eventBus: EventBus = {
    on: (topic, handler) => void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    async send(_db, topic, value) {
      sent.push(value);
      for (const handler of handlers.get(topic) ?? []) handler(value);
    },
    emit: () => {},
    isListening: () => true,
    close: async () => {},
  };
  return { eventBus, sent };
}

let bus: ReturnType<typeof createBus>;
let instances: ReturnType<typeof createPresence>[];
const deps = () => ({ db: null as unknown as Db, eventBus: bus.eventBus, log: createLog('silent') });
beforeEach(() => {
  vi.useFakeTimers();
  bus = createBus();
  // Places that start with `secret` are visible to no viewer.
  const createPlaceFilter = async () => (_viewer: Viewer, place: Place) =>
    place.cell?.dealId.startsWith('secret') ? { ...place, cell: null } : place;
  instances = [
    createPresence({ ...deps(), createPlaceFilter }),
    createPresence({ ...deps(), createPlaceFilter }),
  ];
});
afterEach(() => {
  for (const instance of instances) instance.stop();
  vi.useRealTimers();
});

/** Listens on an instance. Stores the messages, and the people after each. */
function listen(instance: number, viewer: Viewer, viewerNow = () => viewer) {
  const messages: LivePresence[] = [];
  const received: PresentPeople[] = [];
  const stop = instances[instance]!.listen({
    sessionId: viewer.sessionId,
    viewer: async () => viewerNow(),
    deliver: (message) => {
      messages.push(JSON.parse(/^event: presence\ndata: (.*)\n\n$/.exec(String(message))![1]!));
      received.push(mergePresence(received.at(-1) ?? null, messages.at(-1)!));
    },
  });
  return { messages, received, stop };
}
const soon = () => vi.advanceTimersByTimeAsync(200);

const [kim, lee] = [viewerOf('kim'), viewerOf('lee')];

describe('presence', () => {
  test('presence is delivered on every instance to users with the same month open only', async () => {
    const [kims, lees, others] = [listen(0, kim), listen(1, lee), listen(1, viewerOf('mo'))];
    instances[0]!.publish(kim, { month: MONTH, cell: null });
    instances[1]!.publish(lee, at('d-1'));
    instances[1]!.publish(viewerOf('mo'), { month: '2026-10', cell: null });
    await soon();
    expect(kims.received.at(-1)).toEqual({
      month: MONTH,
      people: [{ _id: 'lee', name: 'lee', cell: { dealId: 'd-1', column: 'notes' } }],
    });
    expect(lees.received.at(-1)!.people).toEqual([{ _id: 'kim', name: 'kim', cell: null }]);
    expect(others.received).toEqual([{ month: '2026-10', people: [] }]);
  });

  test('presence omits the cell that a viewer may not see', async () => {
    const { received } = listen(0, kim);
    instances[0]!.publish(kim, { month: MONTH, cell: null });
    instances[0]!.publish(lee, at('secret-1'));
    await soon();
    expect(received.at(-1)!.people).toEqual([{ _id: 'lee', name: 'lee', cell: null }]);
  });

  test('presence is delivered once for repeated announcements', async () => {
    const { received } = listen(0, kim);
    instances[0]!.publish(kim, { month: MONTH, cell: null });
    instances[0]!.publish(lee, at('d-1'));
    await soon();
    const before = received.length;
    await vi.advanceTimersByTimeAsync(1000);
    instances[0]!.publish(lee, at('d-1'));
    await soon();
    expect(received).toHaveLength(before);
  });

  describe('after the first message of a month, has only the users who changed', () => {
    const mo = viewerOf('mo');
    const personAt = (name: string, dealId: string) => ({ _id: name, name, cell: at(dealId).cell });
    let viewerNow: Viewer;
    let kims: ReturnType<typeof listen>;
    let first: LivePresence[];
    /** Kim listens while Lee and Mo are here, and then something happens. Returns the messages about it. */
    const messagesAfter = async (act: () => unknown) => {
      await act();
      await vi.advanceTimersByTimeAsync(1000);
      return kims.messages.splice(0);
    };
    beforeEach(async () => {
      viewerNow = kim;
      kims = listen(0, kim, () => viewerNow);
      for (const viewer of [kim, lee, mo]) instances[0]!.publish(viewer, at('d-1'));
      first = await messagesAfter(() => {});
    });

    test('the first message of presence of a month has everyone', () => {
      expect(first).toEqual([
        {
          month: MONTH,
          isComplete: true,
          people: [personAt('lee', 'd-1'), personAt('mo', 'd-1')],
          left: [],
        },
      ]);
    });

    test('a message of presence has a user who moved', async () => {
      expect(await messagesAfter(() => instances[1]!.publish(lee, at('d-2')))).toEqual([
        { month: MONTH, isComplete: false, people: [personAt('lee', 'd-2')], left: [] },
      ]);
    });

    test('a message of presence has a user who left, and never the receiver', async () => {
      const act = () => {
        instances[1]!.publish(lee, null);
        instances[1]!.publish(kim, at('d-3'));
      };
      expect(await messagesAfter(act)).toEqual([
        { month: MONTH, isComplete: false, people: [], left: ['lee'] },
      ]);
    });

    test('a message of presence has a user whose cell became hidden', async () => {
      expect(await messagesAfter(() => instances[1]!.publish(lee, at('secret-1')))).toEqual([
        { month: MONTH, isComplete: false, people: [{ ...personAt('lee', ''), cell: null }], left: [] },
      ]);
    });

    test.each([
      ['another stream of the session', () => (kims = listen(0, kim))],
      [
        'a return from another month',
        async () => {
          instances[0]!.publish(kim, at('d-1', '2026-10'));
          await messagesAfter(() => {});
          instances[0]!.publish(kim, at('d-1'));
        },
      ],
      [
        'other permissions of the receiver',
        () => {
          viewerNow = { ...kim, role: 'admin' };
          instances[0]!.publish(lee, at('d-1'));
        },
      ],
    ])('a message of presence has everyone after %s', async (_what, act) => {
      expect(await messagesAfter(act)).toMatchObject([{ month: MONTH, isComplete: true, people: [{}, {}] }]);
    });
  });

  test('presence is the newest place of a user with two sessions', async () => {
    const { received } = listen(0, kim);
    instances[0]!.publish(kim, { month: MONTH, cell: null });
    for (const session of ['lee-1', 'lee-2']) {
      instances[0]!.publish(viewerOf('lee', session), at(session));
      await soon();
    }
    expect(received.at(-1)!.people).toMatchObject([{ cell: { dealId: 'lee-2' } }]);
  });
});

describe('a user leaves', () => {
  const peopleAfter = async (act: () => unknown) => {
    const { received } = listen(0, kim);
    instances[0]!.publish(kim, { month: MONTH, cell: null });
    instances[1]!.publish(lee, at('d-1'));
    await soon();
    expect(received.at(-1)!.people).toHaveLength(1);
    await act();
    await soon();
    return received.at(-1)!.people;
  };

  test('presence of a user ends at once when they leave', async () => {
    expect(await peopleAfter(() => instances[1]!.publish(lee, null))).toEqual([]);
  });

  test('presence of a user ends at once when a session of theirs is revoked', async () => {
    expect(await peopleAfter(() => bus.eventBus.send(null as never, 'revoked', 'lee'))).toEqual([]);
  });

  /** Kim publishes a place repeatedly, Lee only once. */
  const peopleAfterSeconds = (seconds: number) =>
    peopleAfter(async () => {
      for (let passed = 0; passed < seconds; passed += 5) {
        await vi.advanceTimersByTimeAsync(5000);
        instances[0]!.publish(kim, { month: MONTH, cell: null });
      }
    });

  test('presence of a user ends after 30 s without an announcement', async () => {
    expect(await peopleAfterSeconds(35)).toEqual([]);
  });

  test('presence of a user does not end before 30 s without an announcement', async () => {
    expect(await peopleAfterSeconds(25)).toHaveLength(1);
  });
});

describe('announcing a place', () => {
  const places = () =>
    bus.sent.flatMap((value) => (JSON.parse(value) as { place: Place | null }[]).map(({ place }) => place));

  test('announcing a place publishes the newest place of a session once a second, on all instances together', async () => {
    instances[0]!.publish(kim, at('d-1'));
    instances[0]!.publish(kim, at('d-2'));
    instances[0]!.publish(kim, at('d-3'));
    await soon();
    expect(places()).toEqual([at('d-1')]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(places()).toEqual([at('d-1'), at('d-3')]);
    instances[1]!.publish(kim, at('d-4'));
    await soon();
    expect(places()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(places().at(-1)).toEqual(at('d-4'));
  });

  test('announcing a place publishes the end of a session at once, and drops its throttled place', async () => {
    instances[0]!.publish(kim, at('d-1'));
    instances[0]!.publish(kim, at('d-2'));
    instances[0]!.publish(kim, null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(places()).toEqual([null]);
  });

  test('announcing a place throttles each session separately', async () => {
    instances[0]!.publish(kim, at('d-1'));
    instances[0]!.publish(viewerOf('kim', 'another session'), at('d-2'));
    await soon();
    expect(places()).toEqual([at('d-1'), at('d-2')]);
  });

  test('announcing a place batches concurrent announcements into few messages', async () => {
    for (let number = 0; number < 25; number += 1) instances[0]!.publish(viewerOf(`p-${number}`), at('d-1'));
    await soon();
    expect(bus.sent).toHaveLength(3);
    const longest = { name: 'é'.repeat(120), sessionId: 's'.repeat(36), userId: 'u'.repeat(36) };
    for (let number = 0; number < 10; number += 1) {
      const viewer = { ...longest, sessionId: `${number}`.padStart(36) } as Viewer;
      instances[0]!.publish(viewer, at('d'.repeat(36)));
    }
    await soon();
    expect(Buffer.byteLength(bus.sent.at(-1)!)).toBeLessThan(7900);
  });
});

describe('many users', () => {
  const person = (number: number, role = 'user'): Viewer => ({ ...viewerOf(`p-${number}`), role }) as Viewer;
  const publishAll = (people: readonly Viewer[], dealId: string) => {
    for (const viewer of people) instances[0]!.publish(viewer, at(dealId));
  };

  test('many users with equal permissions are authorised once, each with the others', async () => {
    let judged = 0;
    instances[2] = createPresence({
      ...deps(),
      createPlaceFilter: async () => (viewer, place) => {
        judged += 1;
        return viewer.role === 'admin' ? place : { ...place, cell: null };
      },
    });
    const people = [person(1), person(2), person(3), person(4, 'admin')];
    const listeners = people.map((viewer) => listen(2, viewer));
    publishAll(people, 'd-1');
    await soon();
    expect(judged).toBe(people.length * 2);
    for (const [place, { received }] of listeners.entries()) {
      const { people: others } = received.at(-1)!;
      expect(others.map(({ _id }) => _id)).toEqual(
        people.flatMap(({ userId }) => (userId === people[place]!.userId ? [] : userId)),
      );
      expect(others.every(({ cell }) => (cell === null) === (people[place]!.role === 'user'))).toBe(true);
    }
  });

  test('many users are notified when another moves, and not of their own moves', async () => {
    const people = [person(1), person(2), person(3)];
    const listeners = people.map((viewer) => listen(0, viewer));
    publishAll(people, 'd-1');
    await soon();
    const before = listeners.map(({ received }) => received.length);
    for (const round of [1, 2]) {
      await vi.advanceTimersByTimeAsync(1000);
      instances[0]!.publish(people[0]!, at(`d-${round + 1}`));
      await soon();
      expect(listeners.map(({ received }, place) => received.length - before[place]!)).toEqual([
        0,
        round,
        round,
      ]);
    }
    expect(listeners[1]!.received.at(-1)!.people[0]).toMatchObject({ _id: 'p-1', cell: { dealId: 'd-3' } });
    await vi.advanceTimersByTimeAsync(1000);
    instances[0]!.publish(people[1]!, at('d-9'));
    await soon();
    // A listener without deliveries while it moved itself still has the others' places.
    expect(listeners[0]!.received.at(-1)!.people).toMatchObject([
      { _id: 'p-2', cell: { dealId: 'd-9' } },
      {},
    ]);
  });

  test('many users deliver everyone to users who join later', async () => {
    publishAll([person(1), person(2)], 'd-1');
    listen(0, person(1));
    await soon();
    const { received } = listen(0, person(2));
    await soon();
    expect(received).toMatchObject([{ people: [{ _id: 'p-1' }] }]);
  });

  test('many users are notified again only after ten times the duration of a round', async () => {
    const rounds: number[] = [];
    instances[2] = createPresence({
      ...deps(),
      async createPlaceFilter() {
        rounds.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, 100));
        return (_viewer, place) => place;
      },
    });
    for (let number = 0; number < 30; number += 1) {
      instances[2].publish(person(number), at('d-1'));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(rounds).toHaveLength(3);
    for (const [place, begun] of rounds.entries())
      if (place > 0) expect(begun - rounds[place - 1]!).toBeGreaterThanOrEqual(1000);
  });
});
