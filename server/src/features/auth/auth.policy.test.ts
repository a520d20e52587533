import { expect, test } from 'vitest';
import { passwordProblem, waitForAccount, waitForAddress } from './auth.policy.ts';

test('an account waits from its fifth failure on, twice as long each time, at most 15 minutes', () => {
  const waits = [4, 5, 6, 7, 15, 500].map((failures) => waitForAccount(failures, 0));
  expect(waits).toEqual([0, 1, 2, 4, 900, 900]);
  expect(waitForAccount(7, 3)).toBe(1);
  expect(waitForAccount(7, 60)).toBe(0);
});

test('an address that a whole office shares waits only after 300 failures', () => {
  expect([299, 300].map((failures) => waitForAddress(failures, 0))).toEqual([0, 60]);
});

test('a password is judged by what it is, not by the kinds of its characters', () => {
  const person = { name: 'Kim Novak-Smithers', email: 'kim.novak@example.com' };
  expect(passwordProblem('all small letters here', person)).toBeUndefined();
  expect(passwordProblem('KIM.NOVAK@example.com', person)).toBe('Must not be your name or e-mail address');
  expect(passwordProblem('kim novak-smithers', person)).toBe('Must not be your name or e-mail address');
  expect(passwordProblem('QwertyUiop123', person)).toBe('This password is too common');
});
