// Reading cases: lists, searches, sums.
import { sql } from 'kysely';
import { COMMON_TERMS, RARE_TERMS } from '../data.mjs';
import { requestOnce, requestOf } from '../load.mjs';
import { changesOf, makeChangeSet } from './writes.mjs';

/** The columns of a row in a list. */
const COLUMNS = `id, status_id, dealership_id, customer_name, customer_number, customer_email, deal_number, vehicle,
  delivery_date, sale_amount, cost_amount, notes, follow_up_at, month, owner_id, created_by, version, created_at,
  updated_at, updated_by, commission_rate, commission`;
/** Returns SQL of the first hundred rows, newest first, with their total counted up to `most`. */
const page = (condition, most) => `
  select ${COLUMNS}, (
    select count(*) from (select from deals where deleted_at is null and ${condition} limit ${most}) as counted) as total
  from deals where deleted_at is null and ${condition} order by created_at desc, id desc limit 100`;
const PAGE_OF_MONTH = page('month = $1 and dealership_id = $2', 'all');
const SEARCH = page('search_text like $1', 1001);
/** For few matches: PostgreSQL finds all of them instead of scanning the newest rows. */
const RARE_SEARCH = `
  select ${COLUMNS}, count(*) over () as total
  from (select * from deals where deleted_at is null and search_text like $1 offset 0) as deals
  order by created_at desc, id desc limit 100`;
const SUMS = `select status_id, count(*), sum(sale_amount) as sale_amount, sum(commission) as commission
  from deals where deleted_at is null and month = $1 group by status_id`;

/**
 * Creates a case that sends the requests of these filters in turn, while other users change cells.
 * @param tokenOf the token of the reader of a company
 * @param filters the filters of a company, each with the values of the plain statement
 */
const reading = ({
  filters,
  path = '/deals',
  pathOf = () => path,
  limit = '&limit=100&shape=rows',
  tokenOf = ({ token }) => token,
  statement,
  clients = 16,
  ...rest
}) => ({
  ...rest,
  clients,
  async prepare(company) {
    const chosen = await filters(company);
    // The query that the screen sends.
    const ask = ({ filter }, encodings) =>
      requestOf('GET', `/api${pathOf(company)}?${new URLSearchParams(filter)}${limit}`, {
        token: tokenOf(company),
        encodings,
      });
    const inTurn = (requests) => {
      let turn = 0;
      return () => requests[turn++ % requests.length];
    };
    const bytes = (await requestOnce(company.port, ask(chosen[0], ''))).length;
    const { nextRow, request: changeOf } = await changesOf(company);
    return {
      product: inTurn(chosen.map((each) => ask(each))),
      meanwhile: () => changeOf(nextRow()),
      limitOn: () => ({
        statements: [statement],
        values: chosen.map(({ values }) => values),
        bytes,
        next: inTurn(chosen.map((_, each) => requestOf('GET', `/${each}`))),
      }),
    };
  },
});

const ofMonthAndDealership = ({ month, dealershipId }) => ({
  filter: { month, dealershipId },
  values: [month, dealershipId],
});

/** The lists of the newest months and of some dealerships. */
const manyPages = ({ inDatabase }) =>
  inDatabase(async (db) => {
    const months = await db
      .selectFrom('deals')
      .select('month')
      .distinct()
      .orderBy('month', 'desc')
      .limit(20)
      .execute();
    const dealerships = await db.selectFrom('dealerships').select('id').orderBy('name').limit(11).execute();
    return months.flatMap(({ month }) =>
      dealerships.map(({ id }) => ofMonthAndDealership({ month, dealershipId: id })),
    );
  });

const searching = ({ texts, ...rest }) =>
  reading({
    ...rest,
    filters: () => texts.map((text) => ({ filter: { search: text }, values: [`%${text}%`] })),
  });

export const reads = [
  reading({
    name: 'lists',
    title: 'list 100 rows, with total, of 20 months and 11 dealerships in turn, 16 clients',
    goal: 1.5,
    isMain: true,
    filters: manyPages,
    statement: PAGE_OF_MONTH,
  }),
  searching({
    name: 'searches',
    title: 'search 60 names in turn in all months, 16 clients',
    goal: 1.3,
    isMain: true,
    texts: COMMON_TERMS,
    statement: SEARCH,
  }),
  searching({
    name: 'full-names',
    title: 'search 60 full names in turn in all months, 16 clients',
    goal: 1.3,
    texts: RARE_TERMS,
    statement: RARE_SEARCH,
  }),
  reading({
    name: 'list',
    title: 'list the same 100 rows of a month and dealership, with total, 16 clients',
    goal: 1,
    growth: 1.3,
    isMain: true,
    filters: (company) => [ofMonthAndDealership(company)],
    statement: PAGE_OF_MONTH,
  }),
  searching({
    name: 'search',
    title: "search 'ann' in all months, 16 clients",
    goal: 1.3,
    growth: 3,
    texts: ['ann'],
    statement: SEARCH,
  }),
  searching({
    name: 'few-hits',
    title: 'search a full name in all months, 16 clients',
    goal: 1.3,
    growth: 3,
    texts: ['zara nguyen'],
    statement: RARE_SEARCH,
  }),
  searching({
    name: 'no-hit',
    title: 'search without a hit, 16 clients',
    goal: 1.3,
    growth: 3,
    texts: ['zzqz'],
    statement: RARE_SEARCH,
  }),
  reading({
    name: 'summary',
    title: 'counts and sums of a month, 16 clients',
    growth: 1.3,
    path: '/deals/summary',
    limit: '',
    filters: ({ month }) => [{ filter: { month }, values: [month] }],
    statement: SUMS,
  }),
];

const filterBy = (...conditions) => JSON.stringify({ match: 'all', conditions });

const MATCHED = 10_000;

/** The preview of an import that updates: its lines find their rows by deal number, anywhere in the table. */
const matching = {
  name: 'matching',
  title: 'preview of an import that updates 10,000 rows, 1 client',
  growth: 1.5,
  seconds: 3,
  clients: 1,
  async prepare(company) {
    const { rows } = await company.inDatabase((db) =>
      sql`select deal_number as "dealNumber", 1 as "saleAmount" from deals
        where deal_number <> '' order by md5(id::text) limit ${MATCHED}`.execute(db),
    );
    const body = JSON.stringify({ mode: 'update', matchBy: 'dealNumber', rows });
    const { nextRow, request: changeOf } = await changesOf(company);
    return {
      product: () => requestOf('POST', '/api/deals/import/preview', { token: company.token, body }),
      meanwhile: () => changeOf(nextRow()),
    };
  },
};

/** The preview of a revert, of rows in which others change other fields meanwhile. */
const revertPreview = {
  name: 'revert-preview',
  title: 'preview of a revert of 10,000 rows, 1 client',
  growth: 1.5,
  seconds: 2,
  clients: 1,
  async prepare(company) {
    const { id } = await makeChangeSet(company);
    const { nextRow, request: changeOf } = await changesOf(company);
    return {
      product: () =>
        requestOf('POST', `/api/changes/${id}/revert/preview`, { token: company.token, body: {} }),
      meanwhile: () => changeOf(nextRow()),
    };
  },
};

/** Reads whose cost may grow with the table. They are compared by size, without a limit. */
export const growingReads = [
  matching,
  revertPreview,
  reading({
    name: 'filter-month',
    title: 'filter a month by amount, text and mail state, 1 client',
    growth: 1.3,
    clients: 1,
    filters: ({ month }) => [
      {
        filter: {
          month,
          filter: filterBy(
            { field: 'saleAmount', operator: 'moreThan', value: 100 },
            { field: 'vehicle', operator: 'contains', value: 'corolla' },
            { field: 'emailState', operator: 'isAnyOf', value: ['notSent', 'failed'] },
          ),
        },
      },
    ],
  }),
  reading({
    name: 'month-checks',
    title: 'checks of a month, 1 client',
    growth: 4,
    // Of all checks together.
    seconds: 1,
    clients: 1,
    pathOf: ({ month }) => `/months/${month}`,
    limit: '',
    filters: () => [{ filter: {} }],
  }),
  reading({
    name: 'filter-dealership',
    title: 'filter all months by dealership, 1 client',
    growth: 3,
    clients: 1,
    filters: ({ dealershipId }) => [
      { filter: { filter: filterBy({ field: 'dealershipId', operator: 'isAnyOf', value: [dealershipId] }) } },
    ],
  }),
  reading({
    name: 'two-letters',
    title: 'search of two characters without a hit in all months, 1 client',
    growth: 3,
    clients: 1,
    filters: () => [{ filter: { search: 'qz' } }],
  }),
  reading({
    name: 'all-sums',
    title: 'counts and sums of all months, 1 client',
    growth: 3,
    clients: 1,
    path: '/deals/summary',
    limit: '',
    filters: () => [{ filter: {} }],
  }),
  ...[
    ['own-list', 'list of all months of somebody who sees only their own rows, 1 client'],
    ['own-sums', 'counts and sums of these, 1 client', '/deals/summary', ''],
  ].map(([name, title, path, limit]) =>
    reading({
      name,
      title,
      growth: 3,
      clients: 1,
      path,
      limit,
      tokenOf: ({ sellerToken }) => sellerToken,
      filters: () => [{ filter: {} }],
    }),
  ),
  reading({
    name: 'all-items',
    title: 'report by item of all months, 1 client',
    growth: 3,
    clients: 1,
    path: '/reports',
    limit: '',
    filters: ({ month }) => [{ filter: { by: 'item', from: '1980-01', to: month } }],
  }),
  ...[
    ['to-call', 'rows to call of somebody with all rows, 1 client', '/dashboard/to-call', {}],
    [
      'changes',
      'changes by others since yesterday to the rows of somebody with all rows, 1 client',
      '/dashboard/changes',
      {},
    ],
    ['activity', 'activity of 30 days, 1 client', '/user-activity', { days: '30' }],
    ['mail', 'Email History, page 1,000, 1 client', '/email/logs', { page: '1000' }],
    ['failed-mail', 'Email History of failed messages, 1 client', '/email/logs', { status: 'failed' }],
    ['audit', 'audit log of one kind of record, 1 client', '/audit-logs', { entity: 'email' }],
    [
      'audit-rare',
      'audit log of a rare kind of record, 1 client',
      '/audit-logs',
      { entity: 'email-template' },
    ],
    [
      'audit-search',
      'first page of a search of the audit log without a hit, 1 client',
      '/audit-logs',
      { search: 'zzqz' },
    ],
    [
      'search-sums',
      "counts and sums of a search of 'ann' in all months, 1 client",
      '/deals/summary',
      { search: 'ann' },
    ],
    [
      'an-dealership',
      "search of 'an' for a dealership in all months, 1 client",
      '/deals',
      ({ dealershipId }) => ({ search: 'an', dealershipId, limit: '100', shape: 'rows' }),
    ],
    ['usage', 'items with their number of deals, 1 client', '/item-configurations', {}],
    ['sets', 'list of changes, 1 client', '/changes', {}, 0.05],
  ].map(([name, title, path, filter, seconds]) =>
    reading({
      name,
      title,
      growth: 3,
      seconds,
      clients: 1,
      path,
      limit: '',
      filters: (company) => [{ filter: typeof filter === 'function' ? filter(company) : filter }],
    }),
  ),
];

/** Lists whose cost may grow with the custom fields of a company. */
export const customFieldReads = [
  reading({
    name: 'list-custom',
    title: 'list 100 rows of a month and dealership, 16 clients',
    growth: 1.1,
    filters: (company) => [ofMonthAndDealership(company)],
  }),
  reading({
    name: 'month-custom',
    title: 'list the 5,000 rows of a month, 1 client',
    growth: 1.1,
    clients: 1,
    limit: '&limit=5000&shape=rows',
    filters: ({ month }) => [{ filter: { month } }],
  }),
];
