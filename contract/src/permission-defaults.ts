import type { CustomKey } from './custom-field-types.ts';
import type { DealColumn } from './deal-fields.ts';

/**
 * Every permission flag with its default (docs/product/people-and-permissions.md, Default permissions). Plain values,
 * which browsers import without the schemas.
 */
export const permissionDefaults = {
  features: {
    bulkEdit: false,
    manageTemplates: false,
    manageDealerships: false,
    manageItems: false,
    viewReports: true,
    closeMonths: false,
    export: true,
  },
  dataEntry: {
    canAddRows: false,
    canEditRows: false,
    canDeleteRows: false,
    canAccessAllMonths: true,
    canViewEmailPreview: true,
    canChangeOwnership: false,
    canExport: true,
    canSearchHistorical: true,
  },
  itemConfiguration: { viewItems: false, editItems: false },
  dealershipConfiguration: { viewDealerships: false, editDealerships: false, deleteDealerships: false },
  emailTemplateConfiguration: { viewTemplates: false, editTemplates: false },
  statusConfiguration: { viewStatuses: false },
  pages: {
    dataEntry: true,
    emailTemplates: true,
    itemConfiguration: true,
    dealerships: false,
    statusConfiguration: false,
    userManagement: false,
    backups: false,
  },
};

/** Maximum concurrent sessions of a user, and minutes without use after which a session expires. */
export const sessionDefaults = { maxSessions: 1, sessionTimeout: 60 };

export const sessionLimits = { maxSessions: 100, sessionTimeout: 12 * 60 };

/** The permissions of a user without a record. */
export const defaultRecord = {
  ...permissionDefaults,
  dataEntry: {
    ...permissionDefaults.dataEntry,
    columnVisibility: {
      viewAllColumns: true,
      restrictedToOwn: false,
      restrictedRows: [] as string[],
      restrictedDealerships: [] as string[],
      restrictedStatuses: [] as string[],
      dateRangeStart: null as string | null,
      dateRangeEnd: null as string | null,
      visibleColumns: [] as (DealColumn | CustomKey)[],
    },
  },
  ...sessionDefaults,
};
