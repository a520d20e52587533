// Reading cases: lists, searches, sums.
import { figuresBy } from '../../server/src/features/deals/list/deal-figures.queries.ts';
import { listDeals } from '../../server/src/features/deals/list/deal-list.queries.ts';
import { statementsOf, wholeScope } from '../limit.mjs';
import { requestOnce, requestOf } from '../load.mjs';

const firstPage = { sort: 'createdAt', descending: true, limit: 100, offset: 0, after: undefined };
const list = (filter) => (db) => listDeals(db, wholeScope, filter, firstPage);

/** Creates a case that repeats one request; the limit runs the statements that the product's code sends. */
const reading = ({
  name,
  title,
  goal,
  growth,
  filter,
  path = '/deals',
  // The query of the screen.
  limit = '&limit=100&shape=rows',
  read = list,
}) => ({
  name,
  title,
  goal,
  growth,
  clients: 16,
  async prepare(company) {
    const query = new URLSearchParams(filter(company)).toString();
    const request = requestOf('GET', `/api${path}?${query}${limit}`, { token: company.token });
    const bytes = (await requestOnce(company.port, request)).length;
    return {
      product: () => request,
      limit: { ...(await statementsOf(company, read(filter(company)))), bytes },
      limitRequest: () => requestOf('GET', '/'),
    };
  },
});

export const reads = [
  reading({
    name: 'list',
    title: 'list 100 rows of a month and dealership, with total, 16 clients',
    goal: 1.3,
    growth: 1.3,
    filter: ({ month, dealershipId }) => ({ month, dealershipId }),
  }),
  reading({
    name: 'search',
    title: "search 'ann' in all months, 16 clients",
    goal: 1.3,
    growth: 3,
    filter: () => ({ search: 'ann' }),
  }),
  reading({
    name: 'no-hit',
    title: 'search without a hit, 16 clients',
    goal: 1.3,
    growth: 3,
    filter: () => ({ search: 'zzqz' }),
  }),
  reading({
    name: 'summary',
    title: 'counts and sums of a month, 16 clients',
    goal: 1.3,
    growth: 1.3,
    path: '/deals/summary',
    limit: '',
    filter: ({ month }) => ({ month }),
    read: (filter) => (db) => figuresBy(db, wholeScope, filter, 'status'),
  }),
];
