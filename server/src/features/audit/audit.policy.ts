import type { Ability } from '@forecourt/contract/route';

/**
 * Values can be redacted only for deleted records: until then they are part of the record's history.
 * The entry of a redaction is named `audit.blanked`: entries are sealed with their action, so it is never renamed.
 */
export const canRedact = (newestAction: string): Ability =>
  newestAction.endsWith('.deleted') || newestAction === 'audit.blanked' ? true : 'RECORD_STILL_THERE';
