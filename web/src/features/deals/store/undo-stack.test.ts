import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../platform/api-error.ts';
import { later } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { isRefusal, type Step, type UndoOutcome } from '../undo-step.ts';
import { createUndoStack, type UndoStack } from './undo-stack.ts';

let view: string;
let ran: string[];
let outcome: UndoOutcome | Promise<UndoOutcome>;
let stack: UndoStack;
let page: EventTarget;

const done: UndoOutcome = { message: 'done', isComplete: true };
const failed: UndoOutcome = { message: 'failed', isComplete: false, isFailed: true };

beforeEach(() => {
  view = 'november';
  ran = [];
  outcome = done;
  page = new EventTarget();
  stack = createUndoStack({ view: () => view, later, page });
  vi.useFakeTimers();
});

afterEach(() => void vi.useRealTimers());

const step = (name: string): Step => {
  const run = (way: string) => () => {
    ran.push(`${way} ${name}`);
    return Promise.resolve(outcome);
  };
  return { undo: run('undo'), redo: run('redo') };
};

test('undoes the newest step first, and redoes the last undone one', async () => {
  for (const name of ['a', 'b']) stack.record(step(name));
  for (const way of ['undo', 'undo', 'redo', 'redo'] as const) expect(await stack[way]()).toEqual(done);
  expect(ran).toEqual(['undo b', 'undo a', 'redo a', 'redo b']);
});

test('the undo stack does nothing where there is no step', async () => {
  expect(await stack.undo()).toEqual({ message: texts.nothingToUndo, isComplete: true });
  expect(await stack.redo()).toEqual({ message: texts.nothingToRedo, isComplete: true });
});

test('the undo stack runs a step only in the view in which it was done', async () => {
  stack.record(step('a'));
  view = 'december';
  expect(await stack.undo()).toEqual({ message: texts.elsewhere, isComplete: true });
  view = 'november';
  expect(await stack.undo()).toEqual(done);
  expect(ran).toEqual(['undo a']);
});

test('the undo stack runs one step at a time', async () => {
  for (const name of ['a', 'b']) stack.record(step(name));
  const { promise, resolve } = Promise.withResolvers<UndoOutcome>();
  outcome = promise;
  const first = stack.undo();
  expect(await stack.undo()).toEqual({ message: texts.busy, isComplete: true });
  expect(ran).toEqual(['undo b']);
  resolve(done);
  await first;
  await stack.undo();
  expect(ran).toEqual(['undo b', 'undo a']);
});

describe('a step that takes long', () => {
  const isLeavingHeld = (): boolean => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  test.each(['undo', 'redo'] as const)(
    'a step that takes long holds the page and is announced in %s',
    async (way) => {
      stack.record(step('a'));
      if (way === 'redo') await stack.undo();
      expect(isLeavingHeld()).toBe(false);
      const { promise, resolve } = Promise.withResolvers<UndoOutcome>();
      outcome = promise;
      const running = stack[way]();
      expect(isLeavingHeld()).toBe(true);
      vi.advanceTimersByTime(499);
      expect(stack.announcement.get()).not.toBe(texts.inProgress);
      vi.advanceTimersByTime(1);
      expect(stack.announcement.get()).toBe(texts.inProgress);
      resolve(failed);
      await running;
      expect([isLeavingHeld(), stack.announcement.get()]).toEqual([false, '']);
    },
  );

  test('a step that takes long is not announced as running once it is finished, and its result only until the next step', async () => {
    stack.record(step('a'));
    await stack.undo();
    vi.advanceTimersByTime(60_000);
    expect(stack.announcement.get()).toBe('done');
    stack.record(step('b'));
    expect(stack.announcement.get()).toBe('');
  });
});

describe('a step that failed', () => {
  test('a step that failed can be undone or redone again', async () => {
    for (const name of ['a', 'b']) stack.record(step(name));
    outcome = failed;
    expect(await stack.undo()).toEqual(failed);
    outcome = done;
    await stack.undo();
    outcome = failed;
    expect(await stack.redo()).toEqual(failed);
    outcome = done;
    await stack.redo();
    expect(ran).toEqual(['undo b', 'undo b', 'redo b', 'redo b']);
  });

  test('a step that failed does not replace what the user has done meanwhile', async () => {
    stack.record(step('a'));
    await stack.undo();
    const { promise, resolve } = Promise.withResolvers<UndoOutcome>();
    outcome = promise;
    const redoing = stack.redo();
    stack.record(step('b'));
    resolve(failed);
    await redoing;
    outcome = done;
    await stack.undo();
    expect(ran).toEqual(['undo a', 'redo a', 'undo b']);
  });
});

test('a response with a status from 400 to 499 is a refusal', () => {
  const isRefused = (status: number) => isRefusal(new ApiError(status, 'No', 'CONFLICT'));
  expect([400, 499, 500].map(isRefused)).toEqual([true, true, false]);
  expect(isRefusal(new Error('No'))).toBe(false);
});
