import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { instantOf, zonedTime, zoneForClock } from './time-zone.ts';

test('the zone of the browser is read again when its clock changes, as on a journey', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'Australia/Perth');
  expect(zoneForClock('Australia/Perth')).toBe('');
  expect(zoneForClock('Asia/Tokyo')).toBe('Asia/Tokyo');
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(zoneForClock('Asia/Tokyo')).toBe('');
  expect(zoneForClock('Australia/Perth')).toBe('Australia/Perth');
});

test.each([
  ['Australia/Sydney', '2026-10-04T01:59', '2026-10-03T15:59:00.000Z'],
  ['Australia/Sydney', '2026-10-04T02:00', null],
  ['Australia/Sydney', '2026-10-04T02:30:00', null],
  ['Australia/Sydney', '2026-10-04T02:59', null],
  ['Australia/Sydney', '2026-10-04T03:00', '2026-10-03T16:00:00.000Z'],
  // By half an hour, in the evening of UTC, and not at all.
  ['Australia/Lord_Howe', '2026-10-04T02:29', null],
  ['Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30:00.000Z'],
  ['America/New_York', '2026-03-08T02:30', null],
  ['Australia/Perth', '2026-10-04T02:30', '2026-10-03T18:30:00.000Z'],
])('in %s the clocks show %s at %s', (zone, wallClock, instant) => {
  expect(instantOf(wallClock, zone)?.toISOString() ?? null).toBe(instant);
});

test('every minute that clocks show is found, and a skipped one is null', () => {
  const zones = fc.constantFrom(
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'America/New_York',
    'Asia/Kolkata',
    '',
  );
  const minutes = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(zones, minutes, (zone, date) => {
      const shown = zonedTime(date, zone).slice(0, 16);
      const found = instantOf(shown, zone);
      expect(found && zonedTime(found, zone).slice(0, 16)).toBe(shown);
    }),
  );
});
