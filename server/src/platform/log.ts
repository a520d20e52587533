import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * Writes JSON lines to standard output. Callers pass each logged field explicitly; requests, bodies, headers and query
 * strings are never passed whole (docs/product/security.md, Nothing secret in logs).
 */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  });
