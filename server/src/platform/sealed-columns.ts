/** The columns of encrypted values that a rotation re-encrypts, with the SQL of the record id of their context. */
export const SEALED_COLUMNS = [
  { table: 'backup_settings', column: 'ssh_private_key', id: "'ssh'" },
  { table: 'backup_settings', column: 'ssh_passphrase', id: "'ssh'" },
  { table: 'backup_settings', column: 'ssh_password', id: "'ssh'" },
  { table: 'backup_settings', column: 's3_secret_access_key', id: "'s3'" },
  { table: 'email_settings', column: 'smtp_password', id: 'user_id' },
  { table: 'email_settings', column: 'refresh_token', id: 'user_id' },
  { table: 'mailbox_connections', column: 'verifier', id: "encode(state_hash, 'hex')" },
  { table: 'two_step', column: 'secret', id: 'user_id' },
] as const;

type SealedColumn =
  | (typeof SEALED_COLUMNS)[number]
  // `rotate-key` re-encrypts this column separately, because it identifies the key of the database.
  | { table: 'installation'; column: 'key_check' }
  // A rotation deletes these values.
  | { table: 'idempotency_keys'; column: 'response' };

type PlaceIn<C> = C extends SealedColumn ? Pick<C, 'table' | 'column'> & { recordId: string } : never;

/**
 * Where a secret is stored. The ciphertext is bound to it: in another row or column it cannot be decrypted. A column
 * that a rotation does not cover is a type error.
 */
export type SealedPlace = PlaceIn<SealedColumn>;
