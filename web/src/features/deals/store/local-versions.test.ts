import { expect, it } from 'vitest';
import { createLocalVersions } from './local-versions.ts';

const at = (version: number) => ({ _id: 'd1', version });

it('tracks a row that was created and changed only here', () => {
  const versions = createLocalVersions();
  versions.record(at(1), 'made');
  versions.record(at(2), 'changed');
  versions.record(at(2), 'changed');
  expect([versions.latest('d1'), versions.latestUnshared('d1')]).toEqual([2, 2]);
});

it('tracks a row that was deleted and restored here', () => {
  const versions = createLocalVersions();
  versions.record(at(1), 'made');
  versions.record(at(3), 'restored');
  expect(versions.latestUnshared('d1')).toBe(3);
});

it('excludes a row that another user changed before the response to its creation', () => {
  const versions = createLocalVersions();
  versions.record(at(2), 'made');
  expect([versions.latest('d1'), versions.latestUnshared('d1')]).toEqual([2, undefined]);
});

it('excludes a row that was changed here and by another user between two responses', () => {
  const versions = createLocalVersions();
  versions.record(at(1), 'made');
  versions.record(at(3), 'changed');
  versions.record(at(4), 'changed');
  expect([versions.latest('d1'), versions.latestUnshared('d1')]).toEqual([4, undefined]);
});

it("the latest version of this page ignores responses with other users' changes", () => {
  const versions = createLocalVersions();
  versions.record(at(1), 'made');
  versions.record(at(2), 'others');
  expect([versions.latest('d1'), versions.latestUnshared('d1')]).toEqual([1, 1]);
});
