import type { Secrets } from '../../src/platform/secrets.ts';

/** A rotation of the key would not seal this column again. */
export const sealName = (secrets: Secrets): string =>
  secrets.seal('Ann', { table: 'users', column: 'name', recordId: '1' });
