import type { RequestPart } from '@forecourt/contract/api';
import type { Job } from '@forecourt/contract/jobs';
import { ApiError } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { resultOf } from '../../platform/jobs.ts';
import { useAttempt } from '../../platform/read-query.ts';
import { sendFailure } from '../email-sending/email-sending.queries.ts';
import { statementsKey } from './months.queries.ts';

type SendStatements = {
  body: RequestPart<'POST /statements/send', 'body'>;
  /** Called while a long sending creates its files. */
  onProgress: (job: Job) => void;
};

/** Sends account statements. After a failure the statements are loaded again: somebody may have sent them. */
export const useSendStatements = () =>
  useAttempt(statementsKey, async ({ body, onProgress }: SendStatements) =>
    resultOf(await call('POST /statements/send', { body }), onProgress),
  );

/** Returns why nothing was sent. Errors of single statements are sentences, which name the statement. */
export const statementFailure = (thrown: unknown): string =>
  (thrown instanceof ApiError && Object.values(thrown.errors)[0]) || sendFailure(thrown);
