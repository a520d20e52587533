// The report of a run: the same rows for one instance and for several.
import { count } from '../figures.mjs';
import { deals, minutes, people } from './measure.mjs';

const ms = (times, share) => count(times.quantile(share));
const check = (isMet) => (isMet ? '✓' : '✗');

/** Maximum p95 and p99 of each kind of request in milliseconds (docs/performance.md, Many people). */
export const GOALS = { read: [300, 1000], write: [500, 1000], search: [300, 1000] };
const NAMES = { read: 'reading', write: 'writing', search: 'searching', presence: 'presence' };
/** Maximum p95 of the time until other users see a change. */
const SEEN_MS = 300;
const LATE_MS = 100;

/** Returns one row per kind of request. */
const requestRows = (figures, seconds, suffix = '') =>
  Object.entries(figures).map(([kind, times]) => {
    const [p95, p99] = GOALS[kind] ?? [];
    const isMet = times.quantile(0.95) < p95 && times.quantile(0.99) < p99;
    return [
      `${NAMES[kind]}${suffix}, ${(times.count() / seconds).toFixed(1)} a second: p50 / p95 / p99 / longest, ms`,
      `${ms(times, 0.5)} / ${ms(times, 0.95)} / ${ms(times, 0.99)} / ${count(times.max())}`,
      p95 ? `p95 < ${p95}, p99 < ${p99} ${check(isMet)}` : '',
    ];
  });

/** Returns one row per path of an event from the editor to the viewers. */
const latencyRows = (latency) =>
  Object.entries(latency.times).map(([way, times]) => [
    `a change is seen by other users${way}, ${count(times.count())} times: p50 / p95 / p99 / longest, ms`,
    `${ms(times, 0.5)} / ${ms(times, 0.95)} / ${ms(times, 0.99)} / ${count(times.max())}`,
    `p95 < ${SEEN_MS} ${check(times.quantile(0.95) < SEEN_MS)}`,
  ]);

const none = (what, found) => [what, count(found), `0 ${check(found === 0)}`];

/** Returns the counts that must be 0. */
function faultRows({ simulation, latency, lost }) {
  const serverErrors = [...simulation.refused].reduce(
    (sum, [status, times]) => sum + (status >= 500 ? times : 0),
    0,
  );
  const others = [...simulation.refused].reduce(
    (sum, [status, times]) => sum + (status >= 500 ? 0 : times),
    0,
  );
  return [
    none('responses of 500 and above', serverErrors),
    none('other refusals and broken connections', others),
    none('acknowledged changes missing at the end', lost),
    none('events not received', latency.missing()),
    none('events received without permission', latency.forbidden()),
    none('live streams that ended', simulation.droppedStreams()),
  ];
}

/** Returns the memory of a server before and after. */
const memoryRow = (name, before, after) => {
  const growth = 100 * (after / before - 1);
  return [
    `${name}: first and last minute, MiB`,
    `${count(before)} → ${count(after)}, ${growth > 0 ? '+' : ''}${growth.toFixed(1)} %`,
    `< +10 % ${check(growth < 10)}`,
  ];
};

const serverRows = ({ memory, heap, late, processor }, name) => [
  memoryRow(`memory of ${name}`, ...memory),
  memoryRow('of it in use after collecting garbage', ...heap),
  [
    `${name}: event loop delay, p99 / longest, ms`,
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

/** Returns all rows of the report. */
export function reportRows({
  simulation,
  latency,
  lost,
  result,
  seconds,
  servers,
  database,
  load,
  messages,
}) {
  const { read, write } = simulation.busyFigures;
  return [
    ...requestRows(simulation.figures, seconds),
    ...requestRows({ read, write }, seconds, ' while a backup and an export run'),
    ...latencyRows(latency),
    ...faultRows({ simulation, latency, lost }),
    ...servers.flatMap((server, place) =>
      serverRows(server, servers.length > 1 ? `instance ${place + 1}` : 'the server'),
    ),
    [
      'processor of PostgreSQL / of the clients, % of one core',
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
