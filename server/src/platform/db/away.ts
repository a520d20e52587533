/**
 * Connection failures, shut-downs and waits that ran out: the database is away or too slow, and the
 * same work may succeed later. Any other error of the database would come again.
 */
export const isDatabaseAway = (error: Error & { code?: string }) =>
  /^(08|57P0|53|55P03|55000|57014|40)/.test(error.code ?? '') ||
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'].includes(
    error.code ?? '',
  ) ||
  /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
