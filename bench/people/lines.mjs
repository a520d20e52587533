// How the figures of many people are told: the same lines for one instance and for several.
import { count } from '../figures.mjs';
import { deals, minutes, people } from './measure.mjs';

const ms = (times, share) => count(times.quantile(share));
const check = (isMet) => (isMet ? '✓' : '✗');

/** What each kind of call may take at most, p95 and p99 in milliseconds (security.md L21). */
const GOALS = { read: [300, 1000], write: [500, 1000], search: [300, 1000] };
const NAMES = { read: 'reading', write: 'writing', search: 'searching', presence: 'saying where one is' };
const SEEN_MS = 1000;
const LATE_MS = 100;

/** One line for each kind of call. */
const callLines = (figures, seconds, suffix = '') =>
  Object.entries(figures).map(([kind, times]) => {
    const [p95, p99] = GOALS[kind] ?? [];
    const isMet = times.quantile(0.95) < p95 && times.quantile(0.99) < p99;
    return [
      `${NAMES[kind]}${suffix}, ${(times.count() / seconds).toFixed(1)} a second: p50 / p95 / p99 / longest, ms`,
      `${ms(times, 0.5)} / ${ms(times, 0.95)} / ${ms(times, 0.99)} / ${count(times.max())}`,
      p95 ? `p95 < ${p95}, p99 < ${p99} ${check(isMet)}` : '',
    ];
  });

/** One line for each way that an edit takes to those who see it. */
const seenLines = (news) =>
  Object.entries(news.times).map(([way, times]) => [
    `a change is seen by the others${way}, ${count(times.count())} times: p50 / p95 / longest, ms`,
    `${ms(times, 0.5)} / ${ms(times, 0.95)} / ${count(times.max())}`,
    `< ${SEEN_MS} ${check(times.max() < SEEN_MS)}`,
  ]);

const none = (what, found) => [what, count(found), `0 ${check(found === 0)}`];

/** What must not happen at all. */
function faultLines({ crowd, news, lost }) {
  const serverErrors = [...crowd.refused].reduce(
    (sum, [status, times]) => sum + (status >= 500 ? times : 0),
    0,
  );
  const others = [...crowd.refused].reduce((sum, [status, times]) => sum + (status >= 500 ? 0 : times), 0);
  return [
    none('answers of 500 and above', serverErrors),
    none('other refusals and broken connections', others),
    none('answered changes that are not there at the end', lost),
    none('events that somebody was not told', news.missing()),
    none('events that somebody was told who may not see the row', news.forbidden()),
    none('live streams that ended', crowd.droppedStreams()),
  ];
}

/** What a server took of the machine, before and after. */
const memoryLine = (name, before, after) => {
  const growth = 100 * (after / before - 1);
  return [
    `${name}: first and last minute, MiB`,
    `${count(before)} → ${count(after)}, ${growth > 0 ? '+' : ''}${growth.toFixed(1)} %`,
    `< +10 % ${check(growth < 10)}`,
  ];
};

const serverLines = ({ memory, heap, late, processor }, name) => [
  memoryLine(`memory of ${name}`, ...memory),
  memoryLine('of it in use after collecting garbage', ...heap),
  [
    `${name}: its event loop late, p99 / longest, ms`,
    `${late.p99.toFixed(0)} / ${late.max.toFixed(0)}`,
    `p99 < ${LATE_MS} ${check(late.p99 < LATE_MS)}`,
  ],
  [`${name}: processor, % of one core`, processor.toFixed(0), ''],
];

export const heading = (where) => [
  `${count(people)} people, ${count(deals)} deals, ${where}, ${minutes} min`,
  'figure',
  'goal',
];

/** All that was measured. */
export function linesOf({ crowd, news, lost, result, seconds, servers, database, load, messages }) {
  const { read, write } = crowd.busyFigures;
  return [
    ...callLines(crowd.figures, seconds),
    ...callLines({ read, write }, seconds, ' while a backup and an export run'),
    ...seenLines(news),
    ...faultLines({ crowd, news, lost }),
    ...servers.flatMap((server, place) =>
      serverLines(server, servers.length > 1 ? `instance ${place + 1}` : 'the server'),
    ),
    [
      'processor of PostgreSQL / of those who ask, % of one core',
      `${database.toFixed(0)} / ${load.toFixed(0)}`,
      '',
    ],
    ['messages on the live streams, a second', count(messages / seconds), ''],
    [
      'a backup / an export of all deals took, s',
      result.map(({ backup, exported }) => `${backup.toFixed(1)} / ${exported.toFixed(1)}`).join(', '),
      '',
    ],
  ];
}
