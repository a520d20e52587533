import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * JSON lines on standard output. Callers pass what they mean to log field by field; requests, bodies, headers
 * and query strings are never handed over whole (security.md, Practices).
 */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  });
