import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAdjustmentAnswers } from './adjustments.ts';
import { refusalOf, stubServer } from './api.fixture.ts';
import { adjusting, call, setRefusalHandlers } from './api.ts';
import type { NewChangeSet } from './ids.ts';

const details = { month: '2026-11', askWhom: ['Lee Lead'] };
const id = '01930000-0000-7000-8000-0000000000aa';
/** What the user answers to each question, and how often they were asked. */
let answer: (reason: string | null) => void;
let questions: number;
let server: ReturnType<typeof stubServer>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  questions = 0;
  setRefusalHandlers({
    monthClosed: createAdjustmentAnswers(() => {
      questions += 1;
      return new Promise((resolve) => (answer = resolve));
    }),
  });
  const needsReason = ({ body }: { body: unknown }) =>
    typeof (body as { adjustmentReason?: string } | undefined)?.adjustmentReason === 'string'
      ? new Response(null, { status: 204 })
      : refusalOf('MONTH_CLOSED', { details });
  server = stubServer({ 'DELETE /deals/:id': needsReason, 'POST /deals/bulk/delete': needsReason });
});
afterEach(() => {
  setRefusalHandlers({ monthClosed: () => Promise.resolve(null) });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const remove = (changeSet: NewChangeSet = 'edit', more: object = {}) =>
  call('DELETE /deals/:id', { params: { id }, changeSet, ...more });
/** Returns `done`, or the error. */
const outcomeOf = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'done',
    (thrown: unknown) => thrown,
  );
/** Resolves when this number of questions was asked. */
const asked = (count: number) => vi.waitFor(() => expect(questions).toBe(count));
const bodies = () => server.requests.map(({ body }) => body);

test('a call that a closed month refuses is repeated with the reason in its body, in its change set and with its key', async () => {
  const body = { ids: [id] };
  const removed = call('POST /deals/bulk/delete', { body, idempotencyKey: 'k1' });
  await asked(1);
  answer('Wrong invoice');
  await removed;
  expect(bodies()).toEqual([body, { ...body, adjustmentReason: 'Wrong invoice' }]);
  const [first, second] = server.requests.map(({ headers }) => headers);
  expect(second!.get('x-change-set')).toBe(first!.get('x-change-set'));
  expect(second!.get('idempotency-key')).toBe('k1');
});

test('refused calls of one change set share the open question for a reason; calls of another change set ask after it', async () => {
  const calls = [remove(), remove(), remove('fill one')];
  await asked(1);
  expect(server.requests).toHaveLength(3);
  answer('Wrong invoice');
  await asked(2);
  answer('Discount');
  await Promise.all(calls);
  const reasons = ['Wrong invoice', 'Wrong invoice', 'Discount'];
  expect(bodies().slice(3)).toEqual(reasons.map((adjustmentReason) => ({ adjustmentReason })));
});

test('the reason for one month is not used for another', async () => {
  const months = ['2026-10', '2026-11'];
  server = stubServer({
    'DELETE /deals/:id': ({ body }) =>
      (body as object | undefined) === undefined
        ? refusalOf('MONTH_CLOSED', { details: { ...details, month: months.shift()! } })
        : new Response(null, { status: 204 }),
  });
  const calls = [remove('fill one'), remove('fill one')];
  await asked(1);
  answer('Of October');
  await asked(2);
  answer('Of November');
  await Promise.all(calls);
  expect(bodies().slice(2)).toEqual([
    { adjustmentReason: 'Of October' },
    { adjustmentReason: 'Of November' },
  ]);
});

test('later calls of the same change set use the reason for a minute', async () => {
  const first = remove('fill one', { idempotencyKey: 'k1' });
  await asked(1);
  answer('Wrong invoice');
  await first;
  await vi.advanceTimersByTimeAsync(59_000);
  await remove('fill one', { idempotencyKey: 'k1' });
  expect(questions).toBe(1);
  await vi.advanceTimersByTimeAsync(61_000);
  const later = remove('fill one');
  await asked(2);
  answer('Another reason');
  await later;
});

test('calls of another change set, and edits of single rows, ask again', async () => {
  for (const [index, changeSet] of (['fill one', 'fill two', 'edit', 'edit'] as const).entries()) {
    const removed = remove(changeSet);
    await asked(index + 1);
    answer('Wrong invoice');
    expect(await outcomeOf(removed)).toBe('done');
  }
});

test('a cancelled question rejects with the refusal, also for the other calls of its change set, and asks again after 5 s', async () => {
  const outcomes = [remove('fill one'), remove('fill one')].map(outcomeOf);
  await asked(1);
  answer(null);
  const refusal = { code: 'MONTH_CLOSED', closedMonth: details };
  expect(await Promise.all(outcomes)).toMatchObject([refusal, refusal]);
  await expect(remove('fill one')).rejects.toMatchObject({ code: 'MONTH_CLOSED' });
  expect(questions).toBe(1);
  await vi.advanceTimersByTimeAsync(5001);
  const later = remove('fill one');
  await asked(2);
  answer('Wrong invoice');
  await later;
});

test('a reason that does not help is not asked for again', async () => {
  server = stubServer({ 'DELETE /deals/:id': () => refusalOf('MONTH_CLOSED', { details }) });
  const outcome = outcomeOf(remove());
  await asked(1);
  answer('Wrong invoice');
  expect(await outcome).toMatchObject({ code: 'MONTH_CLOSED' });
  expect([questions, server.requests.length]).toEqual([1, 2]);
});

test('a call without a user action asks nothing', async () => {
  await expect(remove('edit', { background: true })).rejects.toMatchObject({ code: 'MONTH_CLOSED' });
  expect(questions).toBe(0);
});

test('the wait for the answer does not count towards the time limit of the call', async () => {
  const removed = remove();
  await asked(1);
  await vi.advanceTimersByTimeAsync(60_000);
  answer('Wrong invoice');
  expect(await outcomeOf(removed)).toBe('done');
});

test('work that fails after its call has returned is repeated whole with the reason, and asks once if cancelled', async () => {
  const options = { body: { ids: [id] }, changeSet: 'import one' as const };
  const work = adjusting(options, async (given) => call('POST /deals/bulk/delete', given as typeof options));
  const outcome = outcomeOf(work);
  await asked(1);
  answer(null);
  expect(await outcome).toMatchObject({ code: 'MONTH_CLOSED' });
  expect(questions).toBe(1);
});
