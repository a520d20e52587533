import type { Ability } from '@forecourt/contract/route';

/** Values are removed of what is gone: while a record is there, they are part of its history. */
export const canBlank = (newestAction: string): Ability =>
  newestAction.endsWith('.deleted') || newestAction === 'audit.blanked' ? true : 'RECORD_STILL_THERE';
