import { ONLINE_MINUTES } from '@forecourt/contract/activity-limits';
import { formatPlural } from '../platform/formats.ts';

export const texts = {
  title: 'User Activity',
  note: 'Who is online, where they are signed in, and when they work.',
  loadFailed: 'The activity could not be loaded',
  sessionsFailed: 'The sessions could not be loaded',
  period: 'Time',
  periods: { '7': '7 days', '30': '30 days', '90': '90 days' },

  online: 'On now',
  nobodyOn: `Nobody has used the product in the last ${ONLINE_MINUTES} minutes.`,
  onNow: (people: number) =>
    `${formatPlural(people, 'person', 'people')} in the last ${ONLINE_MINUTES} minutes`,
  sessions: 'Sessions',
  noSessions: 'Nobody is signed in',
  person: 'Person',
  device: 'Device',
  address: 'Address',
  since: 'Since',
  lastSeen: 'Last seen',
  now: 'Now',
  thisSession: 'This session',
  end: (name: string, device: string) => `End the session of ${name}: ${device}`,
  ended: (name: string) => `The session of ${name} has ended`,
  endFailed: 'Failed to end the session',

  signIns: 'Sign-ins by day',
  signInsOf: (day: string, signedIn: number, refused: number) =>
    `${day}: ${formatPlural(signedIn, 'sign-in')}${refused > 0 ? `, ${refused} refused` : ''}`,
  hours: 'Work by hour',
  hoursNote: 'Changes by weekday and hour on the company’s clock. Darker is more.',
  weekday: 'Day',
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  hour: (hour: number) => `${String(hour).padStart(2, '0')}:00`,
  changes: (count: number) => formatPlural(count, 'change'),
  mostActive: 'Most active',
  nothingDone: 'Nothing was changed in this time.',
  refused: 'Failed sign-ins',
  noRefused: 'No sign-in was refused in this time',
  when: 'When',
  typed: 'Email typed',
  unknown: '–',
} as const;
