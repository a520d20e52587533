/** The server is a standby, or became one: another one may be the primary now. */
export const isReadOnlyError = (error: unknown): boolean => (error as { code?: string }).code === '25006';

/**
 * Returns whether an error is transient: a connection failure, a shutdown, a server that is read-only or lets nobody in,
 * or a timeout. The same work may succeed later; any other error of the database would recur.
 */
export const isConnectionError = (error: Error & { code?: string }) =>
  /^(08|25006|28|3D000|57P0|53|55P03|55000|57014|40)/.test(error.code ?? '') ||
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'].includes(
    error.code ?? '',
  ) ||
  /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
