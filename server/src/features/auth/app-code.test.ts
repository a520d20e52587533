import { expect, test } from 'vitest';
import { appUri, newAppSecret, stepOfCode } from './app-code.ts';

/** That of RFC 6238's appendix B: the ASCII digits 1 to 0, twice. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i the code of RFC 6238 is %s', (seconds, code) => {
  expect(stepOfCode(SECRET, code, seconds)).toBe(Math.floor(seconds / 30));
});

test('the code of the step before and after counts, that of two steps away does not', () => {
  const code = '005924';
  const step = Math.floor(1_234_567_890 / 30);
  const at = (steps: number) => stepOfCode(SECRET, code, 1_234_567_890 + steps * 30);
  expect([at(-1), at(0), at(1)]).toEqual([step, step, step]);
  expect([at(-2), at(2)]).toEqual([undefined, undefined]);
});

test('what an app is told names the company, the account and a secret of its own', () => {
  const secret = newAppSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newAppSecret()).not.toBe(secret);
  const uri = new URL(appUri(secret, { issuer: 'Shine & Shield', email: 'kim@example.com' }));
  expect(decodeURIComponent(uri.pathname)).toContain('Shine & Shield:kim@example.com');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Shine & Shield' });
});
