import { readQuery, useCall } from '../../platform/read-query.ts';
import { statementsKey } from './months.queries.ts';

/** The entities on which statements depend: a month that is opened again supersedes its statements. */
export const statedOn = ['statement', 'month'] as const;

/** One's own statements; of those who may close months, all. */
export const statementsQuery = readQuery([...statementsKey, 'all'], 'GET /statements');

export const statementsOfQuery = (month: string) =>
  readQuery([...statementsKey, 'of', month], 'GET /statements', { query: { month } });

export const statementQuery = (id: string) =>
  readQuery([...statementsKey, 'one', id], 'GET /statements/:id', { params: { id } });

export const useSee = () => useCall(statementsKey, 'POST /statements/:id/seen');

export const useAsk = () => useCall(statementsKey, 'POST /statements/:id/query');

export const useAnswer = () => useCall(statementsKey, 'POST /statements/:id/answer');
