import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError, errorWithoutAnswer } from '../../platform/api-error.ts';
import type { Attempt, DealDraft } from './deal-draft.ts';
import { createOutbox, type OutboxPorts } from './deal-outbox.ts';
import type { TabNote, Tabs } from './deal-tabs.ts';

const name = (after: string) => ({ field: 'customerName', before: null, after }) as const;
const vehicle = (after: string) => ({ field: 'vehicle', before: null, after }) as const;
const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;

const alone: Tabs = { tell: () => undefined, listen: () => () => undefined };

/** As many tabs as ask for one; what one tells, the others hear. */
function tabsTogether(): () => Tabs {
  const all = new Map<object, (note: TabNote) => void>();
  return () => {
    const me = {};
    return {
      tell(note) {
        for (const [tab, hear] of all) if (tab !== me) hear(structuredClone(note));
      },
      listen(hear) {
        all.set(me, hear);
        return () => all.delete(me);
      },
    };
  };
}

/** A server in one row: it answers when told to, remembers what it was asked, and stores drafts like a browser. */
function setUp(stored = new Map<string, DealDraft>(), tabs: Tabs = alone) {
  const asked: {
    attempt: Attempt;
    dealId: string | null;
    answer: (result: Deal | Error) => Promise<void>;
  }[] = [];
  /** How many new rows came in each request. */
  const requests: number[] = [];
  const timers: (() => void)[] = [];
  let keys = 0;
  const ask = ({ dealId }: DealDraft, attempt: Attempt): Promise<Deal> => {
    const { promise, resolve, reject } = Promise.withResolvers<Deal>();
    asked.push({
      attempt,
      dealId,
      answer(result) {
        if (result instanceof Error) reject(result);
        else resolve(result);
        return settle();
      },
    });
    return promise;
  };
  const isOfAll = (error: unknown): boolean =>
    !(error instanceof ApiError) || error.status === 401 || error.status === 0 || error.status >= 500;
  const ports: OutboxPorts = {
    drafts: {
      all: () => Promise.resolve([...stored.values()]),
      keep: (drafts) => Promise.resolve(drafts.forEach((draft) => stored.set(draft.key, draft))),
      forget: (ids) => Promise.resolve(ids.forEach((id) => stored.delete(id))),
    },
    change: ask,
    create(rows) {
      requests.push(rows.length);
      return Promise.all(
        rows.map(({ draft, attempt }) =>
          ask(draft, attempt).catch((error: unknown) => {
            if (isOfAll(error)) throw error;
            return error as ApiError;
          }),
        ),
      );
    },
    newKey: () => `key-${(keys += 1)}`,
    tabs,
    later(run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  };
  return { asked, requests, timers, stored, outbox: createOutbox(ports) };
}

/** Lets everything that waits for nothing but promises happen. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const deal = (part: Partial<Deal>): Deal => ({ _id: 'd1', version: 1, customerName: 'Zoe', ...part }) as Deal;
const blank = { key: 'k', deal: null };

describe('the outbox', () => {
  it('stores what is typed before it asks the server, and forgets it after the answer', async () => {
    const { outbox, asked, stored } = setUp();
    outbox.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    await settle();
    expect(asked).toHaveLength(0);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
    outbox.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    expect(stored.get('k')?.attempt?.idempotencyKey).toBe(asked[0]?.attempt.idempotencyKey);
    await asked[0]?.answer(deal({}));
    expect(stored.size).toBe(0);
    expect(outbox.pending.get()).toEqual([]);
  });

  it('keeps a text that is no value with its row, also when that is saved and after a reload', async () => {
    const { outbox, asked, stored } = setUp();
    const refusal = { text: '12 apples', message: 'Please enter a valid number' };
    outbox.type({ ...blank, edits: [{ field: 'saleAmount', refusal }] }, '2026-11');
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    expect(asked[0]?.attempt.fields).toEqual({ customerName: 'Zoe', dealershipId: 'dealer' });
    await asked[0]?.answer(deal({}));
    expect(outbox.pending.get()).toMatchObject([
      { dealId: 'd1', typed: {}, refused: { saleAmount: refusal } },
    ]);

    const after = setUp(stored);
    await after.outbox.restore();
    expect(after.outbox.draftOf('d1')?.refused).toEqual({ saleAmount: refusal });
    const right = { field: 'saleAmount', before: null, after: 12 } as const;
    after.outbox.type(
      { key: 'd1', deal: deal({}), edits: [{ field: 'saleAmount', refusal: null }, right] },
      '2026-11',
    );
    await settle();
    await after.asked[0]?.answer(deal({ version: 2, saleAmount: 12 }));
    expect(after.outbox.pending.get()).toEqual([]);
    expect(after.stored.size).toBe(0);
  });

  describe('offers what was typed when a page ended', () => {
    const left = {
      key: 'page',
      createKey: 'create',
      rowKey: 'k',
      dealId: null,
      month: '2026-11',
      field: 'vehicle',
      text: 'Maz',
      before: null,
    } as const;

    it('in a new row of its own, which two pages that offer it make one of', async () => {
      const { outbox, asked, stored } = setUp();
      await outbox.offer(left);
      expect(stored.get('k')).toMatchObject({
        dealId: null,
        createKey: 'create',
        typed: {},
        refused: { vehicle: { text: 'Maz', before: null } },
      });
      expect(asked).toHaveLength(0);
    });

    it('in its row, beside what else was typed there, and asks when others were first', async () => {
      const { outbox, asked } = setUp();
      await outbox.offer({ ...left, dealId: 'd1', before: 'Kia' });
      const [draft] = outbox.drafts();
      expect(draft).toMatchObject({ key: 'd1', dealId: 'd1' });
      const right = { field: 'vehicle', before: 'Kia', after: 'Mazda' } as const;
      outbox.type(
        {
          key: 'd1',
          deal: deal({ version: 4, vehicle: 'Audi' }),
          edits: [{ field: 'vehicle', refusal: null }, right],
        },
        '2026-11',
      );
      await settle();
      expect(asked[0]?.attempt).toMatchObject({ version: 1, fields: { vehicle: 'Mazda' } });
    });
  });

  it('has one request of a row under way and sends what was typed meanwhile after it', async () => {
    const { outbox, asked } = setUp();
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    outbox.type({ ...blank, edits: [vehicle('Kia')] }, '2026-11');
    outbox.type({ ...blank, edits: [name('Zoe B')] }, '2026-11');
    await settle();
    expect(asked).toHaveLength(1);
    await asked[0]?.answer(deal({ version: 3 }));
    expect(asked[1]).toMatchObject({
      dealId: 'd1',
      attempt: { version: 3, fields: { vehicle: 'Kia', customerName: 'Zoe B' } },
    });
  });

  it('repeats a request without an answer with the same key and words when the line is back', async () => {
    const { outbox, asked, timers } = setUp();
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await asked[0]?.answer(errorWithoutAnswer(false));
    expect(outbox.pending.get()[0]?.problem).toContain('Network error');
    outbox.type({ ...blank, edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    expect(timers).toHaveLength(1);
    outbox.wake();
    await settle();
    const last = asked.at(-1);
    expect(last?.attempt).toEqual(asked[0]?.attempt);
    await last?.answer(deal({}));
    expect(asked.at(-1)?.attempt.fields).toEqual({ vehicle: 'Kia' });
  });

  it('goes on after a reload with what was stored, under the id that the row has by now', async () => {
    const before = setUp();
    before.outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    const after = setUp(before.stored);
    await after.outbox.restore();
    await settle();
    expect(after.asked[0]?.attempt).toEqual(before.asked[0]?.attempt);
    const saved = setUp(new Map([['k', { ...before.stored.get('k')!, dealId: 'd1' }]]));
    await saved.outbox.restore();
    expect([...saved.stored.keys()]).toEqual(['d1']);
  });

  it('sends many new rows in one request and in their order, also after a reload, and what is typed beside them', async () => {
    const many = (keys: readonly string[]) =>
      keys.map((key) => ({ key, deal: null, edits: [name(key), dealership] }));
    const before = setUp();
    await before.outbox.typeAll(many(['z', 'm', 'a', 'k']), '2026-11');
    before.outbox.type({ key: 't', deal: null, edits: [name('typed'), dealership] }, '2026-11');
    await settle();
    expect(before.requests).toEqual([4, 1]);
    expect(before.stored.size).toBe(5);

    const stored = new Map([...before.stored].toSorted(([a], [b]) => a.localeCompare(b)));
    const after = setUp(stored);
    await after.outbox.restore();
    await settle();
    expect(after.asked.map(({ attempt }) => attempt)).toEqual(before.asked.map(({ attempt }) => attempt));
    for (const [at, { answer }] of after.asked.entries()) await answer(deal({ _id: `d${at}` }));
    const sent = after.asked.map(({ attempt }) => attempt.fields.customerName);
    expect(sent).toEqual(['z', 'm', 'a', 'k', 'typed']);
    expect(after.stored.size).toBe(0);
  });

  it('keeps of many rows those that are refused, with their reasons', async () => {
    const { outbox, asked } = setUp();
    const row = (key: string) => ({ key, deal: null, edits: [name(key), dealership] });
    await outbox.typeAll(['a', 'b'].map(row), '2026-11');
    await settle();
    const errors = { customerName: 'Too long' };
    await asked[0]?.answer(new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors }));
    await asked[1]?.answer(deal({}));
    expect(outbox.pending.get()).toMatchObject([
      { key: 'a', typed: { customerName: { hold: { kind: 'refused', message: 'Too long' } } } },
    ]);
  });

  it('tries those that wait only when the line is back, and goes on beside a row that the server fails at', async () => {
    const { outbox, asked, requests } = setUp();
    const row = (key: string) => ({ key, deal: null, edits: [name(key), dealership] });
    await outbox.typeAll(['a', 'b', 'c'].map(row), '2026-11');
    await settle();
    await asked[0]?.answer(errorWithoutAnswer(false));
    expect(requests).toEqual([3]);
    outbox.wake();
    await settle();
    const failure = new ApiError(500, 'Something went wrong', 'SERVER_ERROR');
    for (let at = 3; at < 6; at += 1) await asked[at]?.answer(failure);
    await asked[6]?.answer(failure);
    await asked[7]?.answer(deal({ _id: 'd7' }));
    await asked[8]?.answer(deal({ _id: 'd8' }));
    expect(requests).toEqual([3, 3, 1, 1, 1]);
    expect(outbox.pending.get()).toMatchObject([{ key: 'a', problem: 'Something went wrong' }]);
  });

  it('stops at a conflict until it is decided, and then sends mine on the version that was shown', async () => {
    const { outbox, asked } = setUp();
    const mine = { field: 'customerName', before: 'Zoe', after: 'Mine' } as const;
    outbox.type({ key: 'd1', deal: deal({ version: 2 }), edits: [mine] }, '2026-11');
    await settle();
    const current = deal({ version: 4, customerName: 'Theirs' });
    await asked[0]?.answer(new ApiError(409, 'Conflict', 'CONFLICT', { details: 'customerName', current }));
    outbox.wake();
    await settle();
    expect(asked).toHaveLength(1);
    outbox.keepMine('d1', 'customerName', current);
    await settle();
    expect(asked[1]?.attempt).toMatchObject({ version: 4, fields: { customerName: 'Mine' } });
  });

  it('keeps everything when the session has ended, and asks no more by itself', async () => {
    const { outbox, asked, timers, stored } = setUp();
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await asked[0]?.answer(new ApiError(401, 'Session expired', 'NOT_SIGNED_IN'));
    expect(timers).toHaveLength(0);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
  });
});

describe('two tabs', () => {
  function setUpTwo() {
    const tab = tabsTogether();
    const stored = new Map<string, DealDraft>();
    return [setUp(stored, tab()), setUp(stored, tab())] as const;
  }

  it('show the same unsaved row, and know of its saving', async () => {
    const [one, two] = setUpTwo();
    const saved: unknown[] = [];
    two.outbox.listen({
      onDraft: () => undefined,
      onDeal: () => undefined,
      onDealOfTab: (key, { _id }) => saved.push([key, _id]),
    });
    one.outbox.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    expect(two.outbox.draftOf('k')?.typed.customerName?.value).toBe('Zoe');
    two.outbox.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    await two.asked[0]?.answer(deal({}));
    expect(one.outbox.pending.get()).toEqual([]);
    expect(two.outbox.pending.get()).toEqual([]);
    expect(one.asked).toHaveLength(0);
    expect(one.stored.size).toBe(0);

    one.outbox.type({ ...blank, key: 'other', edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await one.asked[0]?.answer(deal({ _id: 'd2' }));
    expect(saved).toEqual([['other', 'd2']]);
  });

  it('send one row under one key, though both complete it without having heard of one another', async () => {
    const stored = new Map<string, DealDraft>();
    const one = setUp(stored);
    one.outbox.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    await settle();
    const two = setUp(new Map(stored));
    await two.outbox.restore();
    for (const { outbox } of [one, two]) outbox.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    const keys = [one, two].map(({ asked }) => asked[0]?.attempt.idempotencyKey);
    expect(keys).toEqual([stored.get('k')?.createKey, stored.get('k')?.createKey]);
  });

  it('make a row that was taken back and typed again another row', async () => {
    const { outbox, asked } = setUp();
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await asked[0]?.answer(deal({}));
    outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    expect(asked[1]?.attempt.idempotencyKey).not.toBe(asked[0]?.attempt.idempotencyKey);
  });

  it('meet under the key that each has for a row', async () => {
    const [one, two] = setUpTwo();
    one.outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await one.asked[0]?.answer(deal({}));
    const late = { ...deal({}), vehicle: '' } as Deal;
    two.outbox.type({ key: 'd1', deal: late, edits: [vehicle('Kia')] }, '2026-11');
    expect(one.outbox.draftOf('k')?.typed.vehicle?.value).toBe('Kia');
  });

  it('send what another one left behind', async () => {
    const [one, two] = setUpTwo();
    one.outbox.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    one.outbox.stop();
    await settle();
    expect(two.asked).toHaveLength(0);
    two.timers[0]?.();
    await settle();
    expect(two.asked[0]?.attempt.fields).toMatchObject({ customerName: 'Zoe' });
  });

  it('that sent the same change both are not in conflict with each other', async () => {
    const { outbox, asked } = setUp();
    outbox.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    const current = deal({ version: 2, vehicle: 'Kia' });
    await asked[0]?.answer(new ApiError(409, 'Conflict', 'CONFLICT', { details: 'vehicle', current }));
    expect(outbox.pending.get()).toEqual([]);
  });
});
