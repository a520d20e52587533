import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCommandHistory, reversed } from './command-history.ts';

test('undoes the newest step first and redoes in the original order', () => {
  const history = createCommandHistory<string>();
  for (const step of ['a', 'b']) history.record(step);
  expect(history.lastDone()).toBe('b');
  history.undo();
  expect([history.lastDone(), history.lastUndone()]).toEqual(['a', 'b']);
  history.undo();
  expect(history.lastDone()).toBeUndefined();
  history.redo();
  expect([history.lastDone(), history.lastUndone()]).toEqual(['a', 'b']);
});

test('a new step clears the redo stack', () => {
  const history = createCommandHistory<string>();
  history.record('a');
  history.undo();
  history.record('b');
  expect(history.lastUndone()).toBeUndefined();
  expect(history.lastDone()).toBe('b');
});

test('the command history stores at least a hundred steps, and no more than the limit', () => {
  const history = createCommandHistory<number>();
  for (let step = 0; step < 1000; step++) history.record(step);
  let kept = 0;
  for (; history.lastDone() !== undefined; kept++) history.undo();
  expect(kept).toBe(200);
});

test('undo of an empty history adds no step to redo', () => {
  const history = createCommandHistory<string>();
  history.undo();
  history.redo();
  expect([history.lastDone(), history.lastUndone()]).toEqual([undefined, undefined]);
});

test('undoing every step restores the cells', () => {
  const change = fc.record({ cell: fc.integer({ min: 0, max: 3 }), to: fc.integer({ min: 0, max: 9 }) });
  const act = fc.oneof(change, fc.constantFrom('undo', 'redo'));
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      type Step = { cell: number; before: number; after: number };
      const history = createCommandHistory<Step[]>(1000);
      const cells = [0, 0, 0, 0];
      const apply = (steps: Step[]) => {
        for (const { cell, before, after } of steps) {
          expect(cells[cell]).toBe(before);
          cells[cell] = after;
        }
      };
      const undo = () => {
        apply(reversed(history.lastDone() ?? []));
        history.undo();
      };
      for (const each of acts) {
        if (each === 'undo') undo();
        else if (each === 'redo') {
          apply(history.lastUndone() ?? []);
          history.redo();
        } else {
          const step = [{ cell: each.cell, before: cells[each.cell] ?? 0, after: each.to }];
          apply(step);
          history.record(step);
        }
      }
      while (history.lastDone()) undo();
      expect(cells).toEqual([0, 0, 0, 0]);
    }),
  );
});
