import { expect, it } from 'vitest';
import { createOwnVersions } from './own-versions.ts';

const at = (version: number) => ({ _id: 'd1', version });

it('knows a row that was made and changed here alone', () => {
  const own = createOwnVersions();
  own.answered(at(1), 'made');
  own.answered(at(2), 'changed');
  own.answered(at(2), 'changed');
  expect([own.of('d1'), own.ofOwnRow('d1')]).toEqual([2, 2]);
});

it('knows one that was deleted here and brought back', () => {
  const own = createOwnVersions();
  own.answered(at(1), 'made');
  own.answered(at(3), 'restored');
  expect(own.ofOwnRow('d1')).toBe(3);
});

it('does not take a row for ours that others have changed before its making was answered', () => {
  const own = createOwnVersions();
  own.answered(at(2), 'made');
  expect([own.of('d1'), own.ofOwnRow('d1')]).toEqual([2, undefined]);
});

it('does not take it for ours again by a change that went together with theirs', () => {
  const own = createOwnVersions();
  own.answered(at(1), 'made');
  own.answered(at(3), 'changed');
  own.answered(at(4), 'changed');
  expect([own.of('d1'), own.ofOwnRow('d1')]).toEqual([4, undefined]);
});

it('learns nothing from what others have sent', () => {
  const own = createOwnVersions();
  own.answered(at(1), 'made');
  own.answered(at(2), 'others');
  expect([own.of('d1'), own.ofOwnRow('d1')]).toEqual([1, 1]);
});
