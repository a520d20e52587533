import { z } from 'zod';

const flag = (byDefault: boolean) => z.boolean().default(byDefault);

/**
 * What one person may do (spec.md section 3), every flag with the default that a person without a record
 * has. An administrator's record is not consulted: they may do everything.
 */
export const PermissionRecord = z.strictObject({
  features: z
    .strictObject({
      bulkEdit: flag(false),
      manageTemplates: flag(false),
      manageDealerships: flag(false),
      manageItems: flag(false),
      viewReports: flag(true),
      export: flag(true),
    })
    .prefault({}),
  dataEntry: z
    .strictObject({
      canAddRows: flag(false),
      canEditRows: flag(false),
      canDeleteRows: flag(false),
      canAccessAllMonths: flag(true),
      canViewEmailPreview: flag(true),
      canChangeOwnership: flag(false),
      canExport: flag(true),
      canSearchHistorical: flag(true),
    })
    .prefault({}),
  itemConfiguration: z.strictObject({ editItems: flag(false), viewItems: flag(false) }).prefault({}),
  dealershipConfiguration: z
    .strictObject({
      viewDealerships: flag(false),
      editDealerships: flag(false),
      deleteDealerships: flag(false),
    })
    .prefault({}),
  emailTemplateConfiguration: z
    .strictObject({ editTemplates: flag(false), viewTemplates: flag(false) })
    .prefault({}),
  statusConfiguration: z.strictObject({ viewStatuses: flag(false) }).prefault({}),
  pages: z
    .strictObject({
      dataEntry: flag(true),
      emailTemplates: flag(true),
      itemConfiguration: flag(true),
      dealerships: flag(false),
      statusConfiguration: flag(false),
      userManagement: flag(false),
      backups: flag(false),
    })
    .prefault({}),
  maxSessions: z.int().min(1).max(100).default(1),
  sessionTimeout: z
    .int()
    .min(1)
    .max(12 * 60)
    .default(60),
});
export type PermissionRecord = z.infer<typeof PermissionRecord>;
