-- What the migrations result in. Written by `npm run schema`; never edited by hand.

table audit_entries (
  id bigint not null generated,
  xid xid8 not null default pg_current_xact_id(),
  at timestamp with time zone not null default now(),
  actor_id uuid,
  actor_name text not null,
  ip text not null,
  request_id text not null,
  action text not null,
  entity text not null,
  record_id uuid,
  version integer,
  before jsonb,
  after jsonb
)
-- constraint audit_entries_pkey PRIMARY KEY (id)
-- CREATE INDEX audit_entries_at ON audit_entries USING btree (at)
-- CREATE INDEX audit_entries_record ON audit_entries USING btree (record_id, id)
-- CREATE INDEX audit_entries_xid ON audit_entries USING btree (xid)
-- CREATE UNIQUE INDEX audit_entries_pkey ON audit_entries USING btree (id)
-- CREATE TRIGGER audit_entries_are_final BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit()
-- CREATE TRIGGER audit_entries_stay BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()

table contacts (
  dealership_id uuid not null,
  position integer not null,
  name text not null,
  email text not null,
  template_name text not null,
  include_in_to boolean not null,
  include_in_cc boolean not null,
  active boolean not null
)
-- constraint contacts_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id) ON DELETE CASCADE
-- constraint contacts_pkey PRIMARY KEY (dealership_id, "position")
-- CREATE UNIQUE INDEX contacts_pkey ON contacts USING btree (dealership_id, "position")

table dealerships (
  id uuid not null,
  name text not null,
  address text not null,
  default_template_id uuid,
  active boolean not null default true,
  owner_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
)
-- constraint dealerships_address_check CHECK (((length(address) >= 1) AND (length(address) <= 400)))
-- constraint dealerships_default_template_id_fkey FOREIGN KEY (default_template_id) REFERENCES email_templates(id)
-- constraint dealerships_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
-- constraint dealerships_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
-- constraint dealerships_pkey PRIMARY KEY (id)
-- CREATE INDEX dealerships_default_template ON dealerships USING btree (default_template_id)
-- CREATE UNIQUE INDEX dealerships_pkey ON dealerships USING btree (id)

table deals (
  id uuid not null,
  status_id uuid not null,
  dealership_id uuid not null,
  customer_name text not null,
  customer_number text not null default ''::text,
  customer_email text not null default ''::text,
  deal_number text not null default ''::text,
  vehicle text not null default ''::text,
  delivery_date date,
  sale_amount numeric(12,2),
  cost_amount numeric(12,2),
  notes text not null default ''::text,
  follow_up_at timestamp with time zone,
  month text not null,
  owner_id uuid not null,
  created_by uuid not null,
  version integer not null default 1,
  field_versions jsonb not null default '{}'::jsonb,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  updated_by uuid not null
)
-- constraint deals_cost_amount_check CHECK ((cost_amount >= (0)::numeric))
-- constraint deals_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
-- constraint deals_customer_name_check CHECK (((length(customer_name) >= 1) AND (length(customer_name) <= 120)))
-- constraint deals_customer_number_check CHECK ((customer_number ~ '^(|\(\d{4}\) \d{3} \d{3})$'::text))
-- constraint deals_deal_number_check CHECK ((length(deal_number) <= 40))
-- constraint deals_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id)
-- constraint deals_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text))
-- constraint deals_notes_check CHECK ((length(notes) <= 5000))
-- constraint deals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
-- constraint deals_pkey PRIMARY KEY (id)
-- constraint deals_sale_amount_check CHECK ((sale_amount >= (0)::numeric))
-- constraint deals_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id)
-- constraint deals_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id)
-- CREATE INDEX deals_dealership ON deals USING btree (dealership_id, month, created_at DESC, id DESC) WHERE (deleted_at IS NULL)
-- CREATE INDEX deals_month ON deals USING btree (month, created_at DESC, id DESC) WHERE (deleted_at IS NULL)
-- CREATE INDEX deals_search ON deals USING gin (lower(((((((((customer_name || ' '::text) || deal_number) || ' '::text) || vehicle) || ' '::text) || customer_email) || ' '::text) || regexp_replace(customer_number, '\D'::text, ''::text, 'g'::text))) gin_trgm_ops) WHERE (deleted_at IS NULL)
-- CREATE INDEX deals_status ON deals USING btree (status_id)
-- CREATE UNIQUE INDEX deals_pkey ON deals USING btree (id)

table email_settings (
  user_id uuid not null,
  smtp_host text not null,
  smtp_port integer not null,
  smtp_secure boolean not null,
  smtp_user text not null,
  smtp_password text not null,
  smtp_from_email text not null,
  last_verified timestamp with time zone,
  paused_because text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now()
)
-- constraint email_settings_pkey PRIMARY KEY (user_id)
-- constraint email_settings_smtp_port_check CHECK (((smtp_port >= 1) AND (smtp_port <= 65535)))
-- constraint email_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE UNIQUE INDEX email_settings_pkey ON email_settings USING btree (user_id)

table email_template_versions (
  id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  subject text not null,
  document jsonb not null,
  variables jsonb not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now()
)
-- constraint email_template_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
-- constraint email_template_versions_pkey PRIMARY KEY (id)
-- constraint email_template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id) ON DELETE CASCADE
-- constraint email_template_versions_template_id_version_key UNIQUE (template_id, version)
-- CREATE UNIQUE INDEX email_template_versions_pkey ON email_template_versions USING btree (id)
-- CREATE UNIQUE INDEX email_template_versions_template_id_version_key ON email_template_versions USING btree (template_id, version)

table email_templates (
  id uuid not null,
  name text not null,
  subject text not null,
  status text not null,
  document jsonb not null,
  variables jsonb not null,
  owner_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
)
-- constraint email_templates_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
-- constraint email_templates_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
-- constraint email_templates_pkey PRIMARY KEY (id)
-- constraint email_templates_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text])))
-- CREATE UNIQUE INDEX email_templates_name ON email_templates USING btree (lower(name))
-- CREATE UNIQUE INDEX email_templates_pkey ON email_templates USING btree (id)

table email_verifications (
  id bigint not null generated,
  user_id uuid not null,
  passed text,
  at timestamp with time zone not null default now()
)
-- constraint email_verifications_pkey PRIMARY KEY (id)
-- constraint email_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE INDEX email_verifications_recent ON email_verifications USING btree (user_id, at)
-- CREATE UNIQUE INDEX email_verifications_pkey ON email_verifications USING btree (id)

table emails (
  id uuid not null,
  sender_id uuid not null,
  deal_id uuid,
  dealership_id uuid not null,
  template_id uuid,
  template_name text not null,
  template_version integer not null,
  from_name text not null,
  from_address text not null,
  to_addresses text[] not null,
  cc_addresses text[] not null,
  subject text not null,
  html text not null,
  body_text text not null,
  message_id text not null,
  status text not null,
  answer text not null default ''::text,
  attempts integer not null default 0,
  fence integer not null default 0,
  leased_until timestamp with time zone,
  next_attempt_at timestamp with time zone,
  cancellable_until timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  search_text text not null
)
-- constraint emails_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id)
-- constraint emails_dealership_id_fkey FOREIGN KEY (dealership_id) REFERENCES dealerships(id)
-- constraint emails_message_id_key UNIQUE (message_id)
-- constraint emails_pkey PRIMARY KEY (id)
-- constraint emails_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id)
-- constraint emails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'retrying'::text, 'failed'::text, 'cancelled'::text])))
-- constraint emails_template_id_fkey FOREIGN KEY (template_id) REFERENCES email_templates(id) ON DELETE SET NULL
-- CREATE INDEX emails_by_sender ON emails USING btree (sender_id, created_at DESC, id DESC)
-- CREATE INDEX emails_due ON emails USING btree (sender_id, next_attempt_at) WHERE (status = ANY (ARRAY['queued'::text, 'retrying'::text, 'sending'::text]))
-- CREATE INDEX emails_newest ON emails USING btree (created_at DESC, id DESC)
-- CREATE INDEX emails_of_deal ON emails USING btree (deal_id, created_at DESC) WHERE (deal_id IS NOT NULL)
-- CREATE INDEX emails_search ON emails USING gin (search_text gin_trgm_ops)
-- CREATE UNIQUE INDEX emails_message_id_key ON emails USING btree (message_id)
-- CREATE UNIQUE INDEX emails_pkey ON emails USING btree (id)

table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  response jsonb,
  created_at timestamp with time zone not null default now()
)
-- constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200)))
-- constraint idempotency_keys_pkey PRIMARY KEY (user_id, key)
-- constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at)
-- CREATE UNIQUE INDEX idempotency_keys_pkey ON idempotency_keys USING btree (user_id, key)

table installation (
  id uuid not null,
  only_row boolean not null default true,
  key_check text not null,
  setup_key_hash bytea,
  created_at timestamp with time zone not null default now()
)
-- constraint installation_only_row_check CHECK (only_row)
-- constraint installation_only_row_key UNIQUE (only_row)
-- constraint installation_pkey PRIMARY KEY (id)
-- CREATE UNIQUE INDEX installation_only_row_key ON installation USING btree (only_row)
-- CREATE UNIQUE INDEX installation_pkey ON installation USING btree (id)

table passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone not null default now()
)
-- constraint passwords_pkey PRIMARY KEY (user_id)
-- constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE UNIQUE INDEX passwords_pkey ON passwords USING btree (user_id)

table permission_records (
  user_id uuid not null,
  record jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now()
)
-- constraint permission_records_pkey PRIMARY KEY (user_id)
-- constraint permission_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE UNIQUE INDEX permission_records_pkey ON permission_records USING btree (user_id)

table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
)
-- constraint schema_migrations_pkey PRIMARY KEY (version)
-- CREATE UNIQUE INDEX schema_migrations_pkey ON schema_migrations USING btree (version)

table sessions (
  id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  user_agent text not null,
  ip text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_because text
)
-- constraint sessions_pkey PRIMARY KEY (id)
-- constraint sessions_token_hash_key UNIQUE (token_hash)
-- constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
-- CREATE INDEX sessions_live ON sessions USING btree (user_id, created_at) WHERE (ended_at IS NULL)
-- CREATE UNIQUE INDEX sessions_pkey ON sessions USING btree (id)
-- CREATE UNIQUE INDEX sessions_token_hash_key ON sessions USING btree (token_hash)

table sign_in_failures (
  id bigint not null generated,
  subject text not null,
  at timestamp with time zone not null default now()
)
-- constraint sign_in_failures_pkey PRIMARY KEY (id)
-- CREATE INDEX sign_in_failures_recent ON sign_in_failures USING btree (subject, at DESC)
-- CREATE UNIQUE INDEX sign_in_failures_pkey ON sign_in_failures USING btree (id)

table statuses (
  id uuid not null,
  name text not null,
  color text not null,
  position integer not null,
  active boolean not null default true,
  is_default boolean not null default false,
  is_closed boolean not null default false,
  version integer not null default 1
)
-- constraint statuses_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text))
-- constraint statuses_pkey PRIMARY KEY (id)
-- CREATE UNIQUE INDEX statuses_default ON statuses USING btree (is_default) WHERE is_default
-- CREATE UNIQUE INDEX statuses_name ON statuses USING btree (lower(name))
-- CREATE UNIQUE INDEX statuses_pkey ON statuses USING btree (id)

table users (
  id uuid not null,
  name text not null,
  email citext not null,
  role text not null,
  is_active boolean not null default true,
  force_password_change boolean not null default false,
  last_login timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
)
-- constraint users_email_check CHECK (((length((email)::text) >= 3) AND (length((email)::text) <= 254)))
-- constraint users_email_key UNIQUE (email)
-- constraint users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
-- constraint users_pkey PRIMARY KEY (id)
-- constraint users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'user'::text])))
-- CREATE UNIQUE INDEX users_email_key ON users USING btree (email)
-- CREATE UNIQUE INDEX users_pkey ON users USING btree (id)
