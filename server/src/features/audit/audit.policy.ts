import type { Ability } from '@forecourt/contract/route';

/**
 * Values can be redacted only after the record was deleted: until then they are its history. The action is still named
 * `audit.blanked`, because sealed entries contain it.
 */
export const canRedact = (newestAction: string): Ability =>
  newestAction.endsWith('.deleted') || newestAction === 'audit.blanked' ? true : 'RECORD_STILL_THERE';
