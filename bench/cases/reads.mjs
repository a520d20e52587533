// Reading cases: lists, searches, sums.
import { figuresBy } from '../../server/src/features/deals/list/deal-figures.queries.ts';
import { listDeals } from '../../server/src/features/deals/list/deal-list.queries.ts';
import { statementsOf, wholeScope } from '../limit.mjs';
import { requestOnce, requestOf } from '../load.mjs';
import { changesOf } from './writes.mjs';

const firstPage = { sort: 'createdAt', descending: true, limit: 100, offset: 0, after: undefined };
const list = (filter) => (db) => listDeals(db, wholeScope, filter, firstPage);

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

/** Creates a case that repeats one request, while other users change cells. */
const reading = ({
  name,
  title,
  goal,
  growth,
  isMain,
  peer,
  clients = 16,
  filter,
  path = '/deals',
  // The query that the screen sends.
  limit = '&limit=100&shape=rows',
  plain,
  read = list,
}) => ({
  name,
  title,
  goal,
  growth,
  isMain,
  peer,
  clients,
  async prepare(company) {
    const query = new URLSearchParams(filter(company)).toString();
    const ask = (encodings) =>
      requestOf('GET', `/api${path}?${query}${limit}`, { token: company.token, encodings });
    const [request, uncompressed, limitRequest] = [ask(), ask(''), requestOf('GET', '/')];
    const bytes = (await requestOnce(company.port, uncompressed)).length;
    const { nextRow, request: changeOf } = await changesOf(company);
    const product = { product: () => request, meanwhile: () => changeOf(nextRow()) };
    if (!plain) return product;
    return {
      ...product,
      uncompressed: () => uncompressed,
      plain: {
        statements: [plain.statement],
        values: [plain.values(company)],
        bytes,
        next: () => limitRequest,
      },
      own: { ...(await statementsOf(company, read(filter(company)))), bytes, next: () => limitRequest },
    };
  },
});

const searching = ({ text, statement, ...rest }) =>
  reading({
    ...rest,
    growth: 3,
    filter: () => ({ search: text }),
    plain: { statement, values: () => [`%${text}%`] },
  });

export const reads = [
  reading({
    name: 'list',
    title: 'list 100 rows of a month and dealership, with total, 16 clients',
    goal: 1,
    growth: 1.3,
    isMain: true,
    peer: 'Directus 8.7',
    filter: ({ month, dealershipId }) => ({ month, dealershipId }),
    plain: { statement: PAGE_OF_MONTH, values: ({ month, dealershipId }) => [month, dealershipId] },
  }),
  searching({
    name: 'search',
    title: "search 'ann' in all months, 16 clients",
    goal: 1.6,
    isMain: true,
    peer: 'Directus 5.9',
    text: 'ann',
    statement: SEARCH,
  }),
  searching({
    name: 'few-hits',
    title: 'search a full name in all months, 16 clients',
    goal: 1.6,
    text: 'zara nguyen',
    statement: RARE_SEARCH,
  }),
  searching({
    name: 'no-hit',
    title: 'search without a hit, 16 clients',
    goal: 1.3,
    isMain: true,
    text: 'zzqz',
    statement: RARE_SEARCH,
  }),
  reading({
    name: 'summary',
    title: 'counts and sums of a month, 16 clients',
    growth: 1.3,
    path: '/deals/summary',
    limit: '',
    filter: ({ month }) => ({ month }),
    plain: { statement: SUMS, values: ({ month }) => [month] },
    read: (filter) => (db) => figuresBy(db, wholeScope, filter, 'status'),
  }),
];

const filterBy = (...conditions) => JSON.stringify({ match: 'all', conditions });

/** Reads whose cost may grow with the table. They are compared by size, without a limit. */
export const growingReads = [
  reading({
    name: 'filter-month',
    title: 'filter a month by amount, text and mail state, 1 client',
    growth: 1.3,
    clients: 1,
    filter: ({ month }) => ({
      month,
      filter: filterBy(
        { field: 'saleAmount', operator: 'moreThan', value: 100 },
        { field: 'vehicle', operator: 'contains', value: 'corolla' },
        { field: 'emailState', operator: 'isAnyOf', value: ['notSent', 'failed'] },
      ),
    }),
  }),
  reading({
    name: 'filter-dealership',
    title: 'filter all months by dealership, 1 client',
    growth: 3,
    clients: 1,
    filter: ({ dealershipId }) => ({
      filter: filterBy({ field: 'dealershipId', operator: 'isAnyOf', value: [dealershipId] }),
    }),
  }),
  reading({
    name: 'two-letters',
    title: 'search of two characters without a hit in all months, 1 client',
    growth: 3,
    clients: 1,
    filter: () => ({ search: 'qz' }),
  }),
  reading({
    name: 'all-sums',
    title: 'counts and sums of all months, 1 client',
    growth: 3,
    clients: 1,
    path: '/deals/summary',
    limit: '',
    filter: () => ({}),
  }),
];

/** Lists whose cost may grow with the custom fields of a company. */
export const customFieldReads = [
  reading({
    name: 'list-custom',
    title: 'list 100 rows of a month and dealership, 16 clients',
    growth: 1.1,
    filter: ({ month, dealershipId }) => ({ month, dealershipId }),
  }),
  reading({
    name: 'month-custom',
    title: 'list the 5,000 rows of a month, 1 client',
    growth: 1.1,
    clients: 1,
    limit: '&limit=5000&shape=rows',
    filter: ({ month }) => ({ month }),
  }),
];
