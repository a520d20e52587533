import { expect, test } from 'vitest';
import { accountWaits, passwordProblem } from './auth.policy.ts';

test('throttles an account from its fifth failure on, twice as long each time, at most 15 minutes', () => {
  expect(accountWaits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]);
});

test('a password is validated by its content, without composition rules', () => {
  const person = { name: 'Kim Novak-Smithers', email: 'kim.novak@example.com' };
  expect(passwordProblem('all small letters here', person)).toBeUndefined();
  expect(passwordProblem('KIM.NOVAK@example.com', person)).toBe('Must not be your name or e-mail address');
  expect(passwordProblem('kim novak-smithers', person)).toBe('Must not be your name or e-mail address');
  expect(passwordProblem(' kim novak-smithers ', person)).toBe('Must not be your name or e-mail address');
  expect(passwordProblem('QwertyUiop123', person)).toBe('This password is too common');
});
