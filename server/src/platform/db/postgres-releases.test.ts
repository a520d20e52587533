import { expect, test } from 'vitest';
import { findOutdated } from './postgres-releases.ts';

test.each([
  [180_004, { version: '18.4', newest: '18.7', releasedOn: '2026-11-12' }],
  [150_018, { version: '15.18', newest: '15.20', releasedOn: '2026-11-12' }],
  [180_007, null],
  [180_011, null],
  [190_001, null],
])('the server version %i is compared with the newest minor release', (version, outdated) => {
  expect(findOutdated(version)).toEqual(outdated);
});
