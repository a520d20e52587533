/**
 * Every flag of a permission record with the value that a person without one has (spec.md section 3). Plain
 * values, so that a browser can have them without the schemas.
 */
export const permissionDefaults = {
  features: {
    bulkEdit: false,
    manageTemplates: false,
    manageDealerships: false,
    manageItems: false,
    viewReports: true,
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

/** How many sign-ins of one person may be live at once, and after how many idle minutes each ends. */
export const sessionDefaults = { maxSessions: 1, sessionTimeout: 60 };

/** The fields of a deal that a person can be kept from seeing. What is not among them identifies the row. */
export const dealColumns = [
  'status',
  'dealershipId',
  'customerName',
  'customerNumber',
  'customerEmail',
  'dealNumber',
  'vehicle',
  'deliveryDate',
  'items',
  'saleAmount',
  'costAmount',
  'grossProfit',
  'commissionRate',
  'commission',
  'notes',
  'followUpAt',
  'owner',
  'lastEmailedAt',
] as const;
export type DealColumn = (typeof dealColumns)[number];

/** What identifies a row and can stand in a column all the same: nobody is kept from it, and nobody types it there. */
export const identityColumns = ['month', 'createdAt'] as const;

/** Every column that an arrangement of Data Entry can name. */
export const viewColumns = [...dealColumns, ...identityColumns] as const;
export type ViewColumnName = (typeof viewColumns)[number];
