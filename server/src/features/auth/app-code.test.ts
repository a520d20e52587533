import { expect, test } from 'vitest';
import { appUri, createAppSecret, stepOfCode } from './app-code.ts';

/** The secret of RFC 6238, appendix B: the ASCII digits 1 to 0, twice. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %i is %s', (seconds, code) => {
  expect(stepOfCode(SECRET, code, seconds)).toBe(Math.floor(seconds / 30));
});

test('the check of a code accepts the codes of the previous and next step, and none further away', () => {
  const code = '005924';
  const step = Math.floor(1_234_567_890 / 30);
  const at = (steps: number) => stepOfCode(SECRET, code, 1_234_567_890 + steps * 30);
  expect([at(-1), at(0), at(1)]).toEqual([step, step, step]);
  expect([at(-2), at(2)]).toEqual([undefined, undefined]);
});

test('the URI contains the company, the account and a new secret', () => {
  const secret = createAppSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(createAppSecret()).not.toBe(secret);
  const uri = new URL(appUri(secret, { issuer: 'Shine & Shield', email: 'kim@example.com' }));
  expect(decodeURIComponent(uri.pathname)).toContain('Shine & Shield:kim@example.com');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Shine & Shield' });
});
