/**
 * The contract's schemas of request bodies and queries, for `useRecordForm`. Each is loaded when a form with it is opened, so that
 * zod (20 KB) is not part of the first load.
 */
export const schemas = {
  redactAudit: async () =>
    (await import('@forecourt/contract/audit')).auditRoutes['POST /audit-logs/redact'].body,
  dealView: async () => (await import('@forecourt/contract/deal-views')).SavedViewInput,
  export: async () => (await import('@forecourt/contract/exports')).NewExport,
  mailbox: async () =>
    (await import('@forecourt/contract/email-settings')).emailSettingsRoutes[
      'POST /email-settings/mailbox/connect'
    ].body,
  transfer: async () => (await import('@forecourt/contract/sharing')).TransferBody,
  template: async () => (await import('@forecourt/contract/email-templates')).EmailTemplateInput,
  templateImage: async () => (await import('@forecourt/contract/email-templates')).Image,
  templateVariable: async () => (await import('@forecourt/contract/email-templates')).TemplateVariable,
  dealership: async () => (await import('@forecourt/contract/dealerships')).DealershipInput,
  mailServer: async () => (await import('@forecourt/contract/email-settings')).EmailSettingsInput,
  permissions: async () =>
    (await import('@forecourt/contract/permissions')).permissionRoutes['PUT /permissions/user/:id'].body,
  sshSettings: async () => (await import('@forecourt/contract/backups')).SshSettingsInput,
  s3Settings: async () => (await import('@forecourt/contract/backup-s3')).S3SettingsInput,
  item: async () => (await import('@forecourt/contract/items')).ItemInput,
  status: async () => (await import('@forecourt/contract/statuses')).StatusInput,
  customField: async () => (await import('@forecourt/contract/custom-fields')).CustomFieldInput,
  doNotContact: async () => (await import('@forecourt/contract/do-not-contact')).NewDoNotContact,
  waiver: async () =>
    (await import('@forecourt/contract/months')).monthRoutes['POST /months/:month/waive'].body,
  reopening: async () =>
    (await import('@forecourt/contract/months')).monthRoutes['POST /months/:month/reopen'].body,
  accounting: async () =>
    (await import('@forecourt/contract/months')).monthRoutes['GET /months/:month/accounting'].query,
  statementNote: async () =>
    (await import('@forecourt/contract/statements')).statementRoutes['POST /statements/:id/query'].body,
  adjustment: async () => (await import('@forecourt/contract/statements')).AdjustmentInput,
  newUser: async () => (await import('@forecourt/contract/users')).NewUser,
  user: async () => (await import('@forecourt/contract/users')).UserChanges,
  transferAll: async () =>
    (await import('@forecourt/contract/users')).userRoutes['POST /users/:id/transfer'].body,
};
