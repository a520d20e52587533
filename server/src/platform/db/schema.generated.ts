// Written by `npm run schema` from the migrated database; never edited by hand.
import type { ColumnType } from 'kysely';

/** May be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
/** Read as ISO 8601 text, written as text or Date. */
type Instant = ColumnType<string, string | Date, string | Date>;
/** Read as the parsed value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;

export type AuditEntriesTable = {
  id: Generated<number>;
  xid: Generated<string>;
  at: Generated<Instant>;
  actor_id: string | null;
  actor_name: string;
  ip: string;
  request_id: string;
  action: string;
  entity: string;
  record_id: string | null;
  version: number | null;
  before: Json | null;
  after: Json | null;
};

export type ContactsTable = {
  dealership_id: string;
  position: number;
  name: string;
  email: string;
  template_name: string;
  include_in_to: boolean;
  include_in_cc: boolean;
  active: boolean;
};

export type DealershipsTable = {
  id: string;
  name: string;
  address: string;
  default_template_id: string | null;
  active: Generated<boolean>;
  owner_id: string;
  version: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
};

export type DealsTable = {
  id: string;
  status_id: string;
  dealership_id: string;
  customer_name: string;
  customer_number: Generated<string>;
  customer_email: Generated<string>;
  deal_number: Generated<string>;
  vehicle: Generated<string>;
  delivery_date: string | null;
  sale_amount: number | null;
  cost_amount: number | null;
  notes: Generated<string>;
  follow_up_at: Instant | null;
  month: string;
  owner_id: string;
  created_by: string;
  version: Generated<number>;
  field_versions: Generated<Json>;
  deleted_at: Instant | null;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
  updated_by: string;
};

export type EmailSettingsTable = {
  user_id: string;
  smtp_host: string;
  smtp_port: number;
  smtp_secure: boolean;
  smtp_user: string;
  smtp_password: string;
  smtp_from_email: string;
  last_verified: Instant | null;
  paused_because: string | null;
  version: Generated<number>;
  updated_at: Generated<Instant>;
};

export type EmailTemplateVersionsTable = {
  id: string;
  template_id: string;
  version: number;
  name: string;
  subject: string;
  document: Json;
  variables: Json;
  created_by: string;
  created_at: Generated<Instant>;
};

export type EmailTemplatesTable = {
  id: string;
  name: string;
  subject: string;
  status: string;
  document: Json;
  variables: Json;
  owner_id: string;
  version: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
};

export type EmailVerificationsTable = {
  id: Generated<number>;
  user_id: string;
  passed: string | null;
  at: Generated<Instant>;
};

export type EmailsTable = {
  id: string;
  sender_id: string;
  deal_id: string | null;
  dealership_id: string;
  template_id: string | null;
  template_name: string;
  template_version: number;
  from_name: string;
  from_address: string;
  to_addresses: string[];
  cc_addresses: string[];
  subject: string;
  html: string;
  body_text: string;
  message_id: string;
  status: string;
  answer: Generated<string>;
  attempts: Generated<number>;
  fence: Generated<number>;
  leased_until: Instant | null;
  next_attempt_at: Instant | null;
  cancellable_until: Instant | null;
  version: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
  sent_at: Instant | null;
  search_text: string;
};

export type IdempotencyKeysTable = {
  user_id: string;
  key: string;
  request_hash: Buffer;
  response: Json | null;
  created_at: Generated<Instant>;
};

export type InstallationTable = {
  id: string;
  only_row: Generated<boolean>;
  key_check: string;
  setup_key_hash: Buffer | null;
  created_at: Generated<Instant>;
};

export type PasswordsTable = {
  user_id: string;
  hash: string;
  changed_at: Generated<Instant>;
};

export type PermissionRecordsTable = {
  user_id: string;
  record: Json;
  version: Generated<number>;
  updated_at: Generated<Instant>;
};

export type SchemaMigrationsTable = {
  version: number;
  name: string;
  checksum: string;
  applied_at: Generated<Instant>;
};

export type SessionsTable = {
  id: string;
  token_hash: Buffer;
  user_id: string;
  user_agent: string;
  ip: string;
  created_at: Generated<Instant>;
  last_used_at: Generated<Instant>;
  expires_at: Instant;
  ended_at: Instant | null;
  ended_because: string | null;
};

export type SignInFailuresTable = {
  id: Generated<number>;
  subject: string;
  at: Generated<Instant>;
};

export type StatusesTable = {
  id: string;
  name: string;
  color: string;
  position: number;
  active: Generated<boolean>;
  is_default: Generated<boolean>;
  is_closed: Generated<boolean>;
  version: Generated<number>;
};

export type UsersTable = {
  id: string;
  name: string;
  email: string;
  role: string;
  is_active: Generated<boolean>;
  force_password_change: Generated<boolean>;
  last_login: Instant | null;
  version: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
};

export type Tables = {
  audit_entries: AuditEntriesTable;
  contacts: ContactsTable;
  dealerships: DealershipsTable;
  deals: DealsTable;
  email_settings: EmailSettingsTable;
  email_template_versions: EmailTemplateVersionsTable;
  email_templates: EmailTemplatesTable;
  email_verifications: EmailVerificationsTable;
  emails: EmailsTable;
  idempotency_keys: IdempotencyKeysTable;
  installation: InstallationTable;
  passwords: PasswordsTable;
  permission_records: PermissionRecordsTable;
  schema_migrations: SchemaMigrationsTable;
  sessions: SessionsTable;
  sign_in_failures: SignInFailuresTable;
  statuses: StatusesTable;
  users: UsersTable;
};
