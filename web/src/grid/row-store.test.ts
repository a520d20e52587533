import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowStore } from './row-store.ts';

interface Row {
  readonly key: string;
  readonly value: number;
}

const row = (key: string, value = 0): Row => ({ key, value });

/** A store whose animation frames are run by the test. */
function storeWithFrames(...keys: string[]) {
  const frames: (() => void)[] = [];
  const store = createRowStore<Row>((announce) => frames.push(announce));
  const frame = () => {
    for (const announce of frames.splice(0)) announce();
  };
  store.setRows(keys.map((key) => row(key)));
  frame();
  return { store, frame, frames };
}

test('a change is readable at once and notified once per frame, to its own row only', () => {
  const { store, frame } = storeWithFrames('a', 'b');
  const calls: string[] = [];
  store.subscribeRow('a', () => calls.push('a'));
  store.subscribeRow('b', () => calls.push('b'));
  store.subscribeOrder(() => calls.push('order'));
  store.upsert([row('a', 1)]);
  store.upsert([row('a', 2)]);
  expect(store.get('a')).toEqual(row('a', 2));
  expect(calls).toEqual([]);
  frame();
  expect(calls).toEqual(['a']);
});

test('listeners for all records get the keys of the changed ones, shown or not; null after a load', () => {
  const { store, frame } = storeWithFrames('a', 'b', 'c');
  const calls: (string[] | null)[] = [];
  store.subscribeRecords((keys) => calls.push(keys && [...keys]));
  store.setOrder(['a']);
  frame();
  store.upsert([row('a', 1), row('b', 1)]);
  store.upsert([row('a', 2)]);
  frame();
  store.setRows([row('a', 2)]);
  store.upsert([row('a', 3)]);
  frame();
  expect(calls).toEqual([['a', 'b'], null]);
});

test('a change to an unmounted row requests no frame', () => {
  const { store, frames } = storeWithFrames('a', 'b');
  store.upsert([row('b', 1)]);
  expect(frames).toEqual([]);
});

test('new rows are appended, known ones remain in place, hidden ones remain hidden', () => {
  const { store } = storeWithFrames('a', 'b', 'c');
  store.setOrder(['c', 'a']);
  store.upsert([row('a', 1), row('b', 1), row('d', 1)]);
  expect(store.getOrder()).toEqual(['c', 'a', 'd']);
});

test('an aside row is appended when it is saved, and survives setRows until then', () => {
  const { store } = storeWithFrames('a');
  store.upsert([row('new')], 'aside');
  expect(store.getOrder()).toEqual(['a']);
  store.setRows([row('x'), row('y')]);
  expect(store.get('new')).toEqual(row('new'));
  store.upsert([row('new', 1)], 'aside');
  expect(store.getOrder()).toEqual(['x', 'y']);
  store.upsert([row('new', 2)]);
  expect(store.getOrder()).toEqual(['x', 'y', 'new']);
});

test('a held row is neither removed, filtered out nor lost to new rows until it is released', () => {
  const { store } = storeWithFrames('a', 'b', 'c');
  const release = store.hold('b');
  store.remove(['a', 'b']);
  expect(store.getOrder()).toEqual(['b', 'c']);
  store.setOrder(['c']);
  expect(store.getOrder()).toEqual(['b', 'c']);
  store.setRows([row('x'), row('y')]);
  expect(store.getOrder()).toEqual(['b', 'x', 'y']);
  release();
  expect(store.get('b')).toBeUndefined();
  expect(store.getOrder()).toEqual(['x', 'y']);
});

test('a row edited during a load is appended once it is saved', () => {
  const { store } = storeWithFrames('a');
  store.upsert([row('new')], 'aside');
  store.hold('new');
  store.setRows([row('x'), row('y')]);
  store.upsert([row('new')]);
  expect(store.getOrder()).toEqual(['x', 'y', 'new']);
});

test('runWhenInactive calls once the row is neither edited nor active', () => {
  const { store } = storeWithFrames('a', 'b');
  const called: string[] = [];
  store.runWhenInactive('a', () => called.push('a at once'));
  const leave = store.markActive('b');
  const release = store.hold('b');
  store.runWhenInactive('b', () => called.push('b first'));
  store.runWhenInactive('b', () => called.push('b last'));
  release();
  expect(called).toEqual(['a at once']);
  leave();
  store.markActive('b')();
  expect(called).toEqual(['a at once', 'b last']);
});

test('a held row that was removed and added again remains', () => {
  const { store } = storeWithFrames('a', 'b');
  const release = store.hold('b');
  store.remove(['b']);
  store.upsert([row('b')]);
  release();
  expect(store.getOrder()).toEqual(['a', 'b']);
});

test('narrowing removes the rows that do not meet a test, in any order, except a held one', () => {
  const { store, frame } = storeWithFrames('a', 'b', 'c', 'd');
  store.upsert([row('blank')], 'aside');
  store.setOrder(['d', 'c', 'b', 'a']);
  frame();
  const calls: unknown[] = [];
  store.subscribeRow('a', () => calls.push('a'));
  store.subscribeRow('d', () => calls.push('d'));
  store.subscribeRecords((keys) => calls.push(keys));
  store.hold('c');
  store.narrow(({ key }) => key === 'd' || key === 'b');
  expect(store.getOrder()).toEqual(['d', 'c', 'b']);
  expect(['a', 'c', 'blank'].map((key) => store.get(key)?.key)).toEqual([undefined, 'c', 'blank']);
  frame();
  expect(calls).toEqual(['a', null]);
});

test('narrowing tests the rows as they are now', () => {
  const { store } = storeWithFrames('a', 'b', 'c');
  store.narrow(() => true);
  store.upsert([row('a', 1), row('d', 1)]);
  store.narrow(({ value }) => value === 1);
  expect(store.getOrder()).toEqual(['a', 'd']);
});

test('after any operations the order contains each known record once, and none that is aside', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const keys = fc.uniqueArray(key);
  const step = fc.oneof(
    keys.map((these) => ({ run: 'setRows' as const, these })),
    keys.map((these) => ({ run: 'upsert' as const, these })),
    keys.map((these) => ({ run: 'aside' as const, these })),
    keys.map((these) => ({ run: 'remove' as const, these })),
    keys.map((these) => ({ run: 'narrow' as const, these })),
    keys.map((these) => ({ run: 'sort' as const, these })),
    keys.map((these) => ({ run: 'hold' as const, these })),
    keys.map((these) => ({ run: 'release' as const, these })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { store } = storeWithFrames('a', 'b');
      let release = () => {};
      let value = 0;
      for (const { run, these } of steps) {
        const rows = these.map((each) => row(each, (value += 1)));
        if (run === 'setRows') store.setRows(rows);
        else if (run === 'upsert') store.upsert(rows);
        else if (run === 'aside') store.upsert(rows, 'aside');
        else if (run === 'remove') store.remove(these);
        else if (run === 'narrow') store.narrow((each) => these.some((key) => key === each.key));
        else if (run === 'sort') store.setOrder(store.getOrder().toSorted());
        else if (run === 'release') release();
        else if (these[0] && store.get(these[0])) release = store.hold(these[0]);
        const order = store.getOrder();
        expect(new Set(order).size).toBe(order.length);
        expect(order.filter((each) => !store.get(each))).toEqual([]);
        expect(store.recordsOf(order)).toEqual(order.map((each) => store.get(each)));
        expect(store.recordsOf(['e', 'a'])).toEqual([store.get('e'), store.get('a')]);
      }
    }),
  );
});
