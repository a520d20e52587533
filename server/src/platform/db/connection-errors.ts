/**
 * Returns whether an error is transient: a connection failure, a shutdown or a timeout. The same work may succeed
 * later; any other error of the database would recur.
 */
export const isConnectionError = (error: Error & { code?: string }) =>
  /^(08|57P0|53|55P03|55000|57014|40)/.test(error.code ?? '') ||
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'].includes(
    error.code ?? '',
  ) ||
  /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
