import { defaultRecord } from '@forecourt/contract/permission-defaults';
import type { StoredPermissions } from '@forecourt/contract/permissions';
import type { Person, TestApp } from '../../../../test/app.ts';

type Rights = StoredPermissions['dataEntry'];

/** Returns limits for `addImporter` that hide columns or rows. */
export const hiding = (changes: Partial<Rights['columnVisibility']>): Partial<Rights> => ({
  columnVisibility: { ...defaultRecord.dataEntry.columnVisibility, ...changes },
});

/** Adds a person who may import rows, with these limits. */
export const addImporter = (server: TestApp, limits: Partial<Rights> = {}): Promise<Person> =>
  server.person({
    name: 'Cleo Clerk',
    permissions: {
      features: { bulkEdit: true },
      dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, ...limits },
    },
  });
