import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropEarly, takeEarly } from './early-answers.ts';

const answer = Promise.resolve(new Response('{}'));
const abort = vi.fn<(reason: unknown) => void>();
const never = new AbortController().signal;

beforeEach(() => {
  abort.mockReset();
  vi.stubGlobal('window', { earlyAnswers: new Map([['/api/auth/me', { answer, token: 'mine', abort }]]) });
});
afterEach(() => void vi.unstubAllGlobals());

test('serves whoever asks for the same, once', () => {
  expect(takeEarly('/api/deals', 'mine', never)).toBeUndefined();
  expect(takeEarly('/api/auth/me', 'mine', never)).toBe(answer);
  expect(takeEarly('/api/auth/me', 'mine', never)).toBeUndefined();
});

test('is nobody else’s', () => {
  expect(takeEarly('/api/auth/me', 'another', never)).toBeUndefined();
  expect(takeEarly('/api/auth/me', 'mine', never)).toBeUndefined();
});

test('ends with the limit of whoever took it', () => {
  const controller = new AbortController();
  void takeEarly('/api/auth/me', 'mine', controller.signal);
  expect(abort).not.toHaveBeenCalled();
  controller.abort('too late');
  expect(abort).toHaveBeenCalledExactlyOnceWith('too late');
});

test('is dropped when nobody took it', () => {
  dropEarly();
  expect(takeEarly('/api/auth/me', 'mine', never)).toBeUndefined();
});
