/** The server is a standby, so another one may be the primary now. */
export const isReadOnlyError = (error: unknown): boolean => (error as { code?: string }).code === '25006';

/**
 * A newer release has added a column since this session prepared the statement, which returns all columns. Named by
 * PostgreSQL's function, because messages are translated.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  (error as { routine?: string }).routine === 'RevalidateCachedQuery';

/**
 * Whether an error is transient: a connection failure, a shutdown, a server that is read-only or refuses connections,
 * a timeout, or an outdated plan. The same work may succeed later.
 */
export const isConnectionError = (error: Error & { code?: string }) =>
  isOutdatedPlan(error) ||
  /^(08|25006|28|3D000|57P0|53|55P03|55000|57014|40)/.test(error.code ?? '') ||
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'].includes(
    error.code ?? '',
  ) ||
  /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
