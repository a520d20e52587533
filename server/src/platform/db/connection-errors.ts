/** The server is a standby, so another one may be the primary now. */
export const isReadOnlyError = (error: unknown): boolean => (error as { code?: string }).code === '25006';

/**
 * Whether an error is transient: a connection failure, a shutdown, a server that is read-only or refuses connections,
 * or a timeout. The same work may succeed later.
 */
export const isConnectionError = (error: Error & { code?: string }) =>
  /^(08|25006|28|3D000|57P0|53|55P03|55000|57014|40)/.test(error.code ?? '') ||
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'].includes(
    error.code ?? '',
  ) ||
  /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
