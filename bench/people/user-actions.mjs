// The simulated actions of a working day with their frequencies: mostly reading, sometimes a cell or a new row, rarely
// a search.
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

const newKey = () => randomBytes(16).toString('hex');
const SEARCHES = [
  'ann',
  'nguyen',
  'hilux',
  'toyota cor',
  'smith',
  '0412',
  'williams',
  'zzqz',
  'model-3',
  'chen',
];

const read = (path, weight, headers) => ({
  kind: 'read',
  weight,
  make: () => ({ method: 'GET', path: path(), headers }),
});
const background = { 'x-background': '1' };

/** Returns the only action of a user who changes cells of their own rows. */
export const changesOf = ({ rows }, random) => [
  {
    kind: 'write',
    weight: 1,
    make() {
      const free = rows.filter(({ isBusy }) => !isBusy);
      return edit(free[Math.floor(random() * free.length)], random);
    },
  },
];

/** The requests of a page by action; `e2e/journeys/page-requests.test.ts` compares them with those of a real page. */
const page = JSON.parse(readFileSync(new URL('page-requests.json', import.meta.url), 'utf8'));
const reads = (action) => page[action].filter((template) => template.startsWith('GET '));

/** Returns the requests of an action with these values; a page of rows after the first one follows its response. */
function requestsOf(action, values) {
  const pathOf = (template, more = {}) =>
    template
      .slice('GET '.length)
      .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent({ ...values, ...more }[name]));
  const rest = reads(action).find((template) => template.includes('{cursor}'));
  return reads(action)
    .filter((template) => template !== rest)
    .map((template) => ({
      method: 'GET',
      path: pathOf(template),
      ...(rest &&
        template.startsWith('GET /deals?') && {
          next: ({ nextCursor: cursor }) =>
            cursor && { method: 'GET', path: pathOf(rest, { cursor }), headers: background },
        }),
    }));
}

/** Returns the requests of a page that shows a search, after colleagues' changes: at most once a second. */
export const refreshOf = (search) => requestsOf('colleagueWhileSearching', { search });

/**
 * Returns the actions of one user with their shares of 100: the requests of Data Entry, the dashboard and the search,
 * with the queries and headers of the browser's code (web/src/features/deals/deals.queries.ts). A colleague's change is
 * none, because its event has the row; nor is reading on the screen, which only moves the cell.
 */
export function actionsOf(person, { month, everyone, random }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  /** Returns one of the user's rows without a pending request; undefined if there is none. */
  const own = () => pick(person.rows.filter(({ isBusy }) => !isBusy));
  const add = () => insert(dealership(), month);
  const change = (row) => (row ? edit(row, random) : add());
  const somebodys = () => {
    for (;;) {
      const row = pick(pick(everyone).rows);
      if (person.sees.has(row.dealershipId)) return row;
    }
  };
  const dealership = () => pick([...person.sees]);
  const rows = `/deals?month=${month}&shape=rows`;
  return [
    { kind: 'read', weight: 1, make: () => requestsOf('start', { month, id: person.id }) },
    read(() => `${rows}&limit=100`, 13),
    read(() => `${rows}&dealershipId=${dealership()}&limit=100`, 6),
    // Opening Data Entry loads all other rows of the month after the first ones.
    read(() => `${rows}&limit=5000`, 1, background),
    { kind: 'read', weight: 44, make: () => [], at: somebodys },
    read(() => '/deals/options', 4),
    read(() => '/dashboard', 3),
    read(() => '/dashboard/to-call', 2),
    read(() => '/dashboard/changes', 2),
    read(() => '/notifications', 4, background),
    {
      kind: 'search',
      weight: 3,
      make() {
        person.search = pick(SEARCHES);
        return requestsOf('search', { search: person.search });
      },
    },
    // The command palette requests a few rows.
    {
      kind: 'search',
      weight: 2,
      make: () => ({ method: 'GET', path: `/deals?search=${encodeURIComponent(pick(SEARCHES))}&limit=6` }),
    },
    { kind: 'write', weight: 12, make: () => change(own()) },
    { kind: 'write', weight: 3, make: add },
  ];
}

/** A change of one cell. `result` maps the response to the change. */
function edit(row, random) {
  const number = Math.floor(random() * 1e6);
  const cell =
    random() < 0.5 ? { notes: `Rang back, try ${number}` } : { customerName: `Ann Example ${number}` };
  return {
    row,
    method: 'PATCH',
    path: `/deals/${row.id}`,
    headers: { 'idempotency-key': newKey(), 'x-change-set': `edit ${newKey()}` },
    body: { ...cell, version: row.version },
    result: ({ version }) => ({ id: row.id, version, dealershipId: row.dealershipId }),
  };
}

function insert(dealershipId, month) {
  const customerNumber = `(04${randomInt(10, 100)}) ${randomInt(100, 1000)} ${randomInt(100, 1000)}`;
  const deal = { dealershipId, customerName: 'Ann Example', customerNumber, vehicle: 'Hilux', month };
  return {
    method: 'POST',
    path: '/deals/bulk/create',
    headers: { 'x-change-set': `edit ${newKey()}` },
    body: { rows: [{ key: newKey(), deal }] },
    // Another row with the phone is marked.
    next({ items: [{ deal: made }] }) {
      const [following] = made ? requestsOf('add', { id: made._id }) : [];
      return following && { ...following, kind: 'read', headers: background };
    },
    result({ items: [{ deal: made, refusal }] }) {
      if (refusal) throw new Error(refusal.message);
      return { id: made._id, version: made.version, dealershipId };
    },
  };
}
