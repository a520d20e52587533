import { describe, expect, test } from 'vitest';
import { matchesPath, redirectTarget } from './redirect-target.ts';

const known = ['/dashboard', '/data-entry', '/email-templates/$id/edit'];

describe('the target after signing in', () => {
  test.each([
    '/data-entry',
    '/data-entry?month=2026-11&search=a%20b',
    '/data-entry/?month=2026-11',
    '/Data-Entry',
    '/email-templates/01900000-0000-7000-8000-000000000001/edit#top',
  ])('a path of the product is accepted: %s', (asked) => {
    expect(redirectTarget(asked, known)).toBe(asked);
  });

  test.each([
    undefined,
    '',
    'dashboard',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//data-entry',
    'data:text/html,x',
    'https://evil.example/data-entry',
    '//evil.example/data-entry',
    '/\\evil.example/data-entry',
    '\\\\evil.example/data-entry',
    '/\t/evil.example/data-entry',
    '/data-entry\n',
    '/data-entry/../../\\evil.example',
    '/login',
    '/unknown',
    '/data-entry/more',
    '/email-templates//edit',
  ])('the target after signing in is the dashboard for anything else: %j', (asked) => {
    expect(redirectTarget(asked, known)).toBe('/dashboard');
  });

  test('dots are resolved before the path is compared', () => {
    expect(redirectTarget('/x/../data-entry', known)).toBe('/data-entry');
  });
});

test('a path parameter matches one segment of an address', () => {
  expect(matchesPath('/email-templates/$id/edit', '/email-templates/7/edit')).toBe(true);
  expect(matchesPath('/email-templates/$id/edit', '/email-templates/edit')).toBe(false);
});

test('a slash at the end and capitals match, as for the router', () => {
  for (const pattern of ['/email-templates', '/email-templates/{-$id}'])
    for (const address of ['/email-templates/', '/Email-Templates'])
      expect(matchesPath(pattern, address), address).toBe(true);
  expect(matchesPath('/email-templates/$id/edit', '/email-templates//edit/')).toBe(false);
});

test('an optional last parameter matches with and without its segment', () => {
  const pattern = '/data-entry/{-$dealId}';
  expect(matchesPath(pattern, '/data-entry')).toBe(true);
  expect(matchesPath(pattern, '/data-entry/7')).toBe(true);
  for (const other of ['/data-entry/7/8', '/dashboard', '/', '/dashboard/7'])
    expect(matchesPath(pattern, other), other).toBe(false);
});
