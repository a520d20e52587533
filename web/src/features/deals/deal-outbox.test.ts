import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError, errorWithoutAnswer } from '../../platform/api-error.ts';
import type { Attempt, DealDraft } from './deal-draft.ts';
import { createOutbox, type OutboxPorts } from './deal-outbox.ts';

const name = (after: string) => ({ field: 'customerName', before: null, after }) as const;
const vehicle = (after: string) => ({ field: 'vehicle', before: null, after }) as const;
const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;

/** A server in one row: it answers when told to, remembers what it was asked, and stores drafts like a browser. */
function setUp(stored = new Map<string, DealDraft>()) {
  const asked: {
    attempt: Attempt;
    dealId: string | null;
    answer: (result: Deal | Error) => Promise<void>;
  }[] = [];
  const timers: (() => void)[] = [];
  let keys = 0;
  const ports: OutboxPorts = {
    drafts: {
      all: () => Promise.resolve([...stored.values()]),
      keep: (id, draft) => Promise.resolve(void stored.set(id, draft)),
      forget: (id) => Promise.resolve(void stored.delete(id)),
    },
    send({ dealId }, attempt) {
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
    },
    newKey: () => `key-${(keys += 1)}`,
    later(run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  };
  return { asked, timers, stored, outbox: createOutbox(ports) };
}

/** Lets everything that waits for nothing but promises happen. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const deal = (part: Partial<Deal>): Deal => ({ _id: 'd1', version: 1, customerName: 'Zoe', ...part }) as Deal;
const blank = { key: 'k', deal: null };

describe('the outbox', () => {
  it('stores what is typed before it asks the server, and forgets it after the answer', async () => {
    const { outbox, asked, stored } = setUp();
    outbox.type(blank, '2026-11', [name('Zoe')]);
    await settle();
    expect(asked).toHaveLength(0);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
    outbox.type(blank, '2026-11', [dealership]);
    await settle();
    expect(stored.get('k')?.attempt?.idempotencyKey).toBe(asked[0]?.attempt.idempotencyKey);
    await asked[0]?.answer(deal({}));
    expect(stored.size).toBe(0);
    expect(outbox.pending.get()).toEqual([]);
  });

  it('has one request of a row under way and sends what was typed meanwhile after it', async () => {
    const { outbox, asked } = setUp();
    outbox.type(blank, '2026-11', [name('Zoe'), dealership]);
    await settle();
    outbox.type(blank, '2026-11', [vehicle('Kia')]);
    outbox.type(blank, '2026-11', [name('Zoe B')]);
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
    outbox.type(blank, '2026-11', [name('Zoe'), dealership]);
    await settle();
    await asked[0]?.answer(errorWithoutAnswer(false));
    expect(outbox.pending.get()[0]?.problem).toContain('Network error');
    outbox.type(blank, '2026-11', [vehicle('Kia')]);
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
    before.outbox.type(blank, '2026-11', [name('Zoe'), dealership]);
    await settle();
    const after = setUp(before.stored);
    await after.outbox.restore();
    await settle();
    expect(after.asked[0]?.attempt).toEqual(before.asked[0]?.attempt);
    const saved = setUp(new Map([['k', { ...before.stored.get('k')!, dealId: 'd1' }]]));
    await saved.outbox.restore();
    expect([...saved.stored.keys()]).toEqual(['d1']);
  });

  it('stops at a conflict until it is decided, and then sends mine on the version that was shown', async () => {
    const { outbox, asked } = setUp();
    const row = { key: 'd1', deal: deal({ version: 2 }) };
    outbox.type(row, '2026-11', [{ field: 'customerName', before: 'Zoe', after: 'Mine' }]);
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
    outbox.type(blank, '2026-11', [name('Zoe'), dealership]);
    await settle();
    await asked[0]?.answer(new ApiError(401, 'Session expired', 'NOT_SIGNED_IN'));
    expect(timers).toHaveLength(0);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
  });
});
