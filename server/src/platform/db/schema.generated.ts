// Written by `npm run schema` from the migrated database; never edited by hand.
import type { ColumnType } from 'kysely';

/** May be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
/** Read as ISO 8601 text, written as text or Date. */
type Instant = ColumnType<string, string | Date, string | Date>;
/** Read as the parsed value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;

export type Tables = {
  audit_counts: {
    thousand: number;
    quarter: Instant;
    entity: string;
    action: string;
    entries: number;
    by_people: number;
    first_id: number;
    last_id: number;
  };
  audit_entries: {
    id: Generated<number>;
    xid: Generated<string>;
    created_at: Generated<Instant>;
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
    salt: Generated<string | null>;
    change_set_id: string | null;
  };
  audit_head: {
    singleton: Generated<boolean>;
    number: number;
    hash: Buffer;
    signature: string;
    key_id: string;
  };
  audit_people: {
    actor_id: string;
    thousand: number;
    actions: number;
    first_id: number;
    last_id: number;
  };
  audit_redactions: {
    entry_id: number;
    values_digest: Buffer;
    order_id: number;
  };
  audit_seal_entries: {
    entry_id: number;
    seal: number;
    digest: Buffer;
  };
  audit_seals: {
    number: number;
    sealed_at: Generated<Instant>;
    horizon: string;
    entries: number;
    hash: Buffer;
    signature: string;
    key_id: string;
  };
  backup_copies: {
    backup_id: string;
    destination: string;
    state: string;
    problem: string | null;
    due_at: Generated<Instant>;
    attempts: Generated<number>;
    leased_until: Instant | null;
    path: string | null;
  };
  backup_host_keys: {
    host: string;
    port: number;
    algorithm: string;
    fingerprint: string;
    pinned_at: Generated<Instant>;
  };
  backup_settings: {
    singleton: Generated<boolean>;
    scheduler_running: Generated<boolean>;
    last_hour: Generated<Instant>;
    hour_leased_until: Instant | null;
    last_problem: string | null;
    last_restore_test: string | null;
    ssh_enabled_at: Instant | null;
    ssh_host: Generated<string>;
    ssh_port: Generated<number>;
    ssh_username: Generated<string>;
    ssh_auth_method: Generated<string>;
    ssh_private_key: string | null;
    ssh_passphrase: string | null;
    ssh_password: string | null;
    ssh_remote_path: Generated<string>;
    ssh_keep_local_copies: Generated<boolean>;
    ssh_connection_timeout: Generated<number>;
    ssh_server_name: Generated<string>;
    ssh_verified: string | null;
    ssh_verified_at: Instant | null;
    ssh_version: Generated<number>;
    restore_test_leased_until: Instant | null;
    restore_test_attempts: Generated<number>;
    running_since: Generated<Instant>;
    restore_test_problem: string | null;
    s3_enabled_at: Instant | null;
    s3_endpoint: Generated<string>;
    s3_region: Generated<string>;
    s3_bucket: Generated<string>;
    s3_prefix: Generated<string>;
    s3_path_style: Generated<boolean>;
    s3_access_key_id: Generated<string>;
    s3_secret_access_key: string | null;
    s3_keep_local_copies: Generated<boolean>;
    s3_verified: string | null;
    s3_verified_at: Instant | null;
    s3_version: Generated<number>;
    hour_started_at: Instant | null;
    restore_test_started_at: Instant | null;
    watched_at: Generated<Instant>;
    watched_since: Generated<Instant>;
  };
  backups: {
    id: string;
    name: string;
    size: Generated<number>;
    created_at: Generated<Instant>;
    origin: string;
    job_id: string | null;
    finished_at: Instant | null;
    file_sha256: Buffer | null;
    signature: string | null;
    schema_version: number | null;
    row_count: number | null;
    verified_at: Instant | null;
    proven_at: Instant | null;
    problem: string | null;
    is_local: Generated<boolean>;
    fetch_started_at: Instant | null;
    embeds_files: Generated<boolean>;
  };
  business_months: {
    month: string;
    state: string;
    closing: Generated<number>;
    closed_at: Instant | null;
    closed_by: string | null;
    reopened_at: Instant | null;
    reopened_by: string | null;
    reopen_reason: string | null;
  };
  change_sets: {
    id: string;
    kind: string;
    created_by: string;
    created_by_name: string;
    created_at: Generated<Instant>;
    counted_to: number | null;
    rows: number | null;
    added: number | null;
    changed: number | null;
    deleted: number | null;
    restored: number | null;
    first_row: string | null;
    first_month: string | null;
    last_month: string | null;
    last_at: Instant | null;
    of_set: string | null;
  };
  contacts: {
    dealership_id: string;
    position: number;
    name: string;
    email: string;
    template_name: string | null;
    include_in_to: boolean;
    include_in_cc: boolean;
    active: boolean;
    template_id: string | null;
  };
  custom_fields: {
    id: string;
    key: string;
    name: string;
    type: string;
    help: string;
    options: Json;
    is_required: boolean;
    default_value: Json | null;
    visible_to: string;
    editable_by: string;
    active: boolean;
    position: number;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
  };
  data_folder: {
    singleton: Generated<boolean>;
    id: string;
  };
  deal_attachment_chunks: {
    attachment_id: string;
    position: number;
    content: Buffer;
  };
  deal_attachments: {
    id: string;
    deal_id: string;
    name: string;
    type: string;
    size: number;
    created_by: string;
    created_at: Generated<Instant>;
    digest: Buffer | null;
  };
  deal_comment_mentions: {
    comment_id: string;
    user_id: string;
  };
  deal_comment_reads: {
    user_id: string;
    deal_id: string;
    read_up_to: string;
  };
  deal_comments: {
    id: string;
    deal_id: string;
    author_id: string;
    body: string;
    created_at: Generated<Instant>;
    edited_at: Instant | null;
    version: Generated<number>;
  };
  deal_item_sums: {
    month: string;
    dealership_id: string;
    status_id: string;
    item_id: string | null;
    deals: number;
    sale_amount: number;
    gross_profit: number;
    commission: number;
    with_rate: number;
    without_rate: number;
    closed: number;
    closing_seconds: number;
    quantity: number;
    amount: number;
  };
  deal_items: {
    deal_id: string;
    position: number;
    item_id: string;
    name: string;
    quantity: number;
    unit_price: number;
  };
  deal_merge_parts: {
    deal_id: string;
    kind: string;
    part_id: string;
    deal_version: number | null;
  };
  deal_merges: {
    deal_id: string;
    survivor_id: string;
  };
  deal_sum_changes: {
    month: string;
    dealership_id: string;
    status_id: string;
    owner_id: string;
    deals: number;
    sale_amount: number;
    gross_profit: number;
    commission: number;
    with_rate: number;
    without_rate: number;
    closed: number;
    closing_seconds: number;
  };
  deal_sums: {
    month: string;
    dealership_id: string;
    status_id: string;
    owner_id: string;
    deals: number;
    sale_amount: number;
    gross_profit: number;
    commission: number;
    with_rate: number;
    without_rate: number;
    closed: number;
    closing_seconds: number;
  };
  deal_views: {
    id: string;
    owner_id: string;
    name: string;
    is_shared: Generated<boolean>;
    arrangement: Json;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
  };
  dealerships: {
    id: string;
    name: string;
    address: string;
    default_template_id: string | null;
    active: Generated<boolean>;
    owner_id: string;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
    import_columns: Generated<Json>;
  };
  deals: {
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
    commission_rate: number | null;
    commission: Generated<number | null>;
    deleted_by: string | null;
    draft_key: string | null;
    search_text: Generated<string>;
    closed_at: Instant | null;
    custom: Generated<Json>;
  };
  do_not_contact: {
    id: string;
    kind: string;
    value: string;
    reason: string;
    added_by: string;
    created_at: Generated<Instant>;
  };
  download_tickets: {
    ticket_hash: Buffer;
    session_id: string;
    kind: string;
    record_id: string;
    expires_at: Instant;
  };
  email_attachment_uses: {
    email_id: string;
    attachment_id: string;
    position: number;
  };
  email_attachments: {
    id: string;
    name: string;
    type: string;
    content: Buffer | null;
    is_used: Generated<boolean>;
    created_by: string;
    created_at: Generated<Instant>;
    digest: Buffer | null;
  };
  email_deals: {
    deal_id: string;
    email_id: string;
    deal_version: number | null;
  };
  email_images: {
    email_id: string;
    image_id: string;
  };
  email_settings: {
    user_id: string;
    smtp_host: string;
    smtp_port: number;
    smtp_secure: boolean;
    smtp_user: string;
    smtp_password: string | null;
    smtp_from_email: string;
    last_verified: Instant | null;
    pause_reason: string | null;
    version: Generated<number>;
    updated_at: Generated<Instant>;
    provider: string | null;
    refresh_token: string | null;
  };
  email_template_versions: {
    id: string;
    template_id: string;
    version: number;
    name: string;
    subject: string;
    document: Json;
    variables: Json;
    created_by: string;
    created_at: Generated<Instant>;
    restored_from: number | null;
  };
  email_templates: {
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
  email_verifications: {
    id: Generated<number>;
    user_id: string;
    verified_fingerprint: string | null;
    created_at: Generated<Instant>;
  };
  emails: {
    id: string;
    sender_id: string;
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
    lease_token: Generated<number>;
    leased_until: Instant | null;
    next_attempt_at: Instant | null;
    cancellable_until: Instant | null;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
    sent_at: Instant | null;
    search_text: string;
    held_at: Instant | null;
    batch_id: string | null;
    deal_fields: Generated<string[]>;
    attachment_count: Generated<number>;
    hold_reason: string | null;
    first_attempt_at: Instant | null;
    delivered_to: Generated<string[]>;
    fate_unknown: Generated<boolean>;
  };
  export_chunks: {
    export_id: string;
    position: number;
    content: Buffer;
  };
  exports: {
    id: string;
    user_id: string;
    kind: string;
    format: string;
    name: string;
    filter: Json;
    permissions_hash: Buffer;
    job_id: string | null;
    row_count: Generated<number>;
    size: Generated<number>;
    created_at: Generated<Instant>;
    finished_at: Instant | null;
    digest: Buffer | null;
  };
  files: {
    digest: Buffer;
    size: number;
    created_at: Generated<Instant>;
  };
  idempotency_keys: {
    user_id: string;
    key: string;
    request_hash: Buffer;
    response: Json | null;
    created_at: Generated<Instant>;
  };
  impersonations: {
    id: string;
    session_id: string;
    user_id: string;
    created_at: Generated<Instant>;
  };
  installation: {
    id: string;
    singleton: Generated<boolean>;
    key_check: string;
    setup_key_hash: Buffer | null;
    created_at: Generated<Instant>;
    mail_heartbeat_at: Instant | null;
  };
  items: {
    id: string;
    name: string;
    category: Generated<string>;
    price: number | null;
    cost: number | null;
    active: Generated<boolean>;
    position: number;
    owner_id: string;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
  };
  jobs: {
    id: string;
    kind: string;
    user_id: string | null;
    status: Generated<string>;
    step: Generated<string>;
    percent: number | null;
    result: Json | null;
    code: string | null;
    message: string | null;
    created_at: Generated<Instant>;
    heartbeat_at: Generated<Instant>;
    finished_at: Instant | null;
    done: number | null;
    total: number | null;
    errors: Json | null;
    idempotency_key: string | null;
    request_hash: Buffer | null;
    is_awaited: Generated<boolean>;
  };
  mailbox_connections: {
    state_hash: Buffer;
    user_id: string;
    provider: string;
    address: string;
    verifier: string;
    created_at: Generated<Instant>;
  };
  month_adjustments: {
    id: Generated<number>;
    month: string;
    closing: number;
    deal_id: string;
    kind: string;
    owner_id: string | null;
    dealership_id: string | null;
    amount: number;
    customer_name: string;
    deal_number: string;
    before: Json | null;
    after: Json | null;
    reason: string;
    created_by: string;
    created_at: Generated<Instant>;
  };
  month_waivers: {
    month: string;
    check: string;
    reason: string;
    rows: number;
    waived_by: string;
    waived_at: Generated<Instant>;
  };
  notifications: {
    id: string;
    user_id: string;
    kind: string;
    record_id: string;
    count: Generated<number>;
    created_by: string | null;
    occurred_at: Generated<Instant>;
    read_at: Instant | null;
    mailed_record_id: string | null;
    other_record_ids: Generated<string[]>;
  };
  password_links: {
    key_hash: Buffer;
    user_id: string;
    purpose: string;
    expires_at: Instant;
    created_at: Generated<Instant>;
  };
  passwords: {
    user_id: string;
    hash: string;
    changed_at: Generated<Instant>;
    expires_at: Instant | null;
  };
  permission_records: {
    user_id: string;
    record: Json;
    version: Generated<number>;
    updated_at: Generated<Instant>;
  };
  rate_limit_events: {
    id: Generated<number>;
    subject: string;
    created_at: Generated<Instant>;
  };
  recovery_codes: {
    user_id: string;
    code_hash: Buffer;
  };
  recurring_jobs: {
    name: string;
    started_at: Instant;
    finished_at: Instant | null;
    problem: string | null;
  };
  schema_migrations: {
    version: number;
    name: string;
    checksum: string;
    applied_at: Generated<Instant>;
    breaking: Generated<boolean>;
    breaks_before: string | null;
  };
  sessions: {
    id: string;
    token_hash: Buffer;
    user_id: string;
    user_agent: string;
    ip: string;
    created_at: Generated<Instant>;
    last_used_at: Generated<Instant>;
    expires_at: Instant;
    ended_at: Instant | null;
    end_reason: string | null;
  };
  settings: {
    id: Generated<number>;
    user_id: string | null;
    name: string;
    value: Json;
    version: Generated<number>;
    updated_at: Generated<Instant>;
  };
  shares: {
    entity: string;
    record_id: string;
    user_id: string;
    level: string;
    shared_at: Generated<Instant>;
    shared_by: string;
  };
  sign_in_failures: {
    id: Generated<number>;
    subject: string;
    created_at: Generated<Instant>;
  };
  statement_adjustments: {
    statement_id: string;
    adjustment_id: number;
  };
  statement_notes: {
    id: string;
    statement_id: string;
    kind: string;
    text: string;
    created_by: string;
    created_at: Generated<Instant>;
  };
  statements: {
    id: string;
    kind: string;
    month: string;
    closing: number;
    number: number;
    owner_id: string | null;
    dealership_id: string | null;
    lines_total: number;
    content: Json;
    head: Generated<Json>;
    rows: Generated<number>;
    digest: string;
    created_at: Generated<Instant>;
  };
  statuses: {
    id: string;
    name: string;
    color: string;
    position: number;
    active: Generated<boolean>;
    is_default: Generated<boolean>;
    is_closed: Generated<boolean>;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
    counts_for_commission: Generated<boolean | null>;
  };
  template_image_uses: {
    template_id: string;
    image_id: string;
  };
  template_images: {
    id: string;
    type: string;
    width: number;
    height: number;
    content: Buffer | null;
    created_by: string;
    created_at: Generated<Instant>;
    digest: Buffer | null;
  };
  two_step: {
    user_id: string;
    secret: string;
    confirmed_at: Instant | null;
    last_step: Generated<number>;
  };
  users: {
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
    two_step_required: Generated<boolean>;
    mention_mail: Generated<boolean>;
  };
};
