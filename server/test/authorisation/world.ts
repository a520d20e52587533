import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodes } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import { withBackupLock } from '../../src/features/backups/lock.ts';
import type { DemoMail } from '../../src/features/demo/mail-server.ts';
import { createFileStore } from '../../src/platform/files/file-store.ts';
import { permissionsDigestOf } from '../../src/platform/http/permissions-digest.ts';
import { newId } from '../../src/platform/ids.ts';
import { readViewers } from '../../src/platform/viewers.ts';
import type { TestApp } from '../app.ts';
import { addFailedJob } from '../builders.ts';
import { DOT } from '../images.ts';
import type { Persona, Related } from './personas.ts';

/** The records of a call: all owned by the persona `owner` and shared with the personas of the shares. */
export type Records = {
  dealershipId: string;
  templateId: string;
  /** An image of the template. */
  imageId: string;
  itemId: string;
  statusId: string;
  customFieldId: string;
  /** An entry of the Do not contact list, added by the owner. */
  doNotContactId: string;
  dealId: string;
  /** A duplicate of the deal. */
  otherDealId: string;
  /** A comment of the owner on the deal. */
  commentId: string;
  /** A file of the deal. */
  dealAttachmentId: string;
  /** A view shared with everyone. */
  dealViewId: string;
  /** A change set of the owner, with the deletion of that row. */
  changeSetId: string;
  /** A commission statement of the owner, with a query. */
  statementId: string;
  /** Just deleted by its owner. */
  deletedDealId: string;
  emailId: string;
  /** A file not attached to a message yet, and one attached to the message. */
  attachmentId: string;
  sentAttachmentId: string;
  /** A finished export of the owner. */
  exportId: string;
  failedEmailId: string;
  /** The mail merge that created both messages. */
  batchId: string;
  /** A user without any relation to the records. */
  bystanderId: string;
  strangerId: string;
  /** A user with own mail server settings and commission rate. */
  configuredId: string;
  /** A session of the bystander. */
  sessionId: string;
  /** An invalid backup file, which cannot be restored. */
  backupName: string;
  /** A job started by the owner. */
  jobId: string;
  runningJobId: string;
  /** A failed job of a queue. */
  failedJobId: string;
  /** An account statement of the dealership. */
  accountStatementId: string;
};

const ENTERED_STATUS = '01930000-0000-7000-8000-000000000001';
const DEAL_STATUS = '01930000-0000-7000-8000-000000000003';
export const TEMPLATE = {
  subject: 'Hello',
  status: 'active' as const,
  document: { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] },
  variables: [],
};

/** The message in the demo's mailbox. */
export const MESSAGE = {
  _id: newId(),
  from: 'Kim <kim@office.example>',
  to: ['sam@dealer.example'],
  cc: [],
  subject: 'Hello',
  receivedAt: '2026-01-02T03:04:05.678Z',
  html: '<p>Hello</p>',
  text: 'Hello',
};
export const MAILBOX: DemoMail = {
  account: { host: '127.0.0.1', port: 9, user: 'demo', password: '' },
  messages: () => [MESSAGE],
  close: async () => {},
};

/** Has a row with an open status, and a waiver of the check `saleMissing`. */
export const WAIVED_MONTH = '2001-01';

/** Is closed, with the statement. The month after it has no row. */
export const CLOSED_MONTH = '1999-01';
export const NEXT_MONTH = '1999-02';

export const VIEW = { filter: null, sort: null, columns: [] };

export type World = Awaited<ReturnType<typeof createWorld>>;

let statementNumber = 0;

/** An empty statement as it is stored. */
const statementContent = (recipientId: string, number: string) => ({
  kind: 'commission',
  number,
  month: CLOSED_MONTH,
  companyName: 'Harbour',
  recipientId,
  recipientName: 'owner',
  closedAt: '1999-02-01T00:00:00.000Z',
  closedByName: 'owner',
  lines: [],
  adjustments: [],
  waivers: [],
  totals: { lines: 0, adjustments: 0, total: 0, gstRate: 10, gst: 0, withoutGst: 0 },
});

/** Creates the records of the matrix, and a digest that detects changes. */
export async function createWorld(server: TestApp, personas: Persona[]) {
  const { db } = server;
  const idOf = (name: string): string => personas.find((persona) => persona.name === name)!.userId!;
  const owner = idOf('owner');
  // Pauses the queue: retries would change data during the matrix.
  await db
    .insertInto('email_settings')
    .values({ ...mailServer(owner), pause_reason: 'Nothing is sent here.' })
    .execute();
  const admin = personas.find(({ name }) => name === 'administrator')!;

  async function asAdmin(route: string, body: object): Promise<void> {
    const reply = await server.call(route, { token: admin.token!, body });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  }

  /** Returns a user's permissions as stored with an export. */
  async function rightsDigestOf(userId: string): Promise<Buffer> {
    const [viewer] = await readViewers(db, [userId]);
    return Buffer.from(permissionsDigestOf(viewer!), 'base64url');
  }

  /** Creates new records for one call, so that a persona's changes do not affect the next. */
  async function makeRecords(): Promise<Records> {
    const [dealershipId, templateId, dealId, emailId] = [newId(), newId(), newId(), newId()];
    const [itemId, statusId, deletedDealId, dealViewId] = [newId(), newId(), newId(), newId()];
    const [failedEmailId, batchId, imageId] = [newId(), newId(), newId()];
    const [attachmentId, sentAttachmentId, commentId] = [newId(), newId(), newId()];
    const [dealAttachmentId, customFieldId, changeSetId] = [newId(), newId(), newId()];
    const statementId = newId();
    const [doNotContactId, otherDealId] = [newId(), newId()];
    const bystander = await server.person({ name: 'bystander' });
    await db
      .insertInto('email_templates')
      .values({
        id: templateId,
        name: `Template ${templateId}`,
        subject: TEMPLATE.subject,
        status: TEMPLATE.status,
        document: JSON.stringify(TEMPLATE.document),
        variables: '[]',
        owner_id: owner,
      })
      .execute();
    await db
      .insertInto('email_template_versions')
      .values({
        id: newId(),
        template_id: templateId,
        version: 1,
        name: `Template ${templateId}`,
        subject: TEMPLATE.subject,
        document: JSON.stringify(TEMPLATE.document),
        variables: '[]',
        created_by: owner,
      })
      .execute();
    const files = createFileStore(server.dataDir);
    const { digest } = await db.transaction().execute((tx) => files.add(tx, DOT));
    await db
      .insertInto('template_images')
      .values({ id: imageId, type: 'image/png', width: 1, height: 1, digest, created_by: owner })
      .execute();
    await db
      .insertInto('template_image_uses')
      .values({ template_id: templateId, image_id: imageId })
      .execute();
    await db
      .insertInto('dealerships')
      .values({
        id: dealershipId,
        name: `Dealership ${dealershipId}`,
        address: '1 Pier Street',
        owner_id: owner,
      })
      .execute();
    await db
      .insertInto('items')
      .values({ id: itemId, name: `Item ${itemId}`, position: 1, owner_id: owner })
      .execute();
    await db
      .insertInto('statuses')
      .values({ id: statusId, name: `Status ${statusId}`, color: '#2f6fb2', position: 9 })
      .execute();
    await db
      .insertInto('custom_fields')
      .values({
        id: customFieldId,
        key: `custom${(fieldNumber += 1)}`,
        name: `Field ${customFieldId}`,
        type: 'text',
        help: '',
        options: '[]',
        is_required: false,
        // A field for everybody would change the rights with which exports were made.
        visible_to: 'administrators',
        editable_by: 'administrators',
        active: true,
        position: 1,
      })
      .execute();
    await db
      .insertInto('do_not_contact')
      .values({
        id: doNotContactId,
        kind: 'email',
        value: `${doNotContactId}@buyer.example`,
        reason: 'Asked',
        added_by: owner,
      })
      .execute();
    await db
      .insertInto('month_waivers')
      .values({ month: WAIVED_MONTH, check: 'saleMissing', reason: 'Paid', rows: 1, waived_by: owner })
      // A former persona may not have removed it.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Former personas may have closed the one and reopened the other.
    await db.deleteFrom('business_months').where('month', '=', NEXT_MONTH).execute();
    const accountStatementId = newId();
    await db
      .insertInto('business_months')
      .values({ month: CLOSED_MONTH, state: 'closed', closing: 1, closed_at: sql`now()`, closed_by: owner })
      .onConflict((conflict) => conflict.column('month').doUpdateSet({ state: 'closed' }))
      .execute();
    statementNumber += 1;
    const number = `${CLOSED_MONTH}-${String(statementNumber).padStart(3, '0')}`;
    await db
      .insertInto('statements')
      .values({
        id: statementId,
        kind: 'commission',
        month: CLOSED_MONTH,
        closing: 1,
        number: statementNumber,
        owner_id: owner,
        lines_total: 0,
        digest: '',
        content: JSON.stringify(statementContent(owner, number)),
      })
      .execute();
    await db
      .insertInto('statements')
      .values({
        id: accountStatementId,
        kind: 'account',
        month: CLOSED_MONTH,
        closing: 1,
        number: statementNumber,
        dealership_id: dealershipId,
        lines_total: 0,
        content: JSON.stringify({ ...statementContent(dealershipId, number), kind: 'account' }),
        digest: 'digest',
      })
      .execute();
    await db
      .insertInto('statement_notes')
      .values({ id: newId(), statement_id: statementId, kind: 'query', text: 'Why?', created_by: owner })
      .execute();
    await asAdmin(`PUT /permissions/user/${idOf('status editor')}`, {
      resources: { statusConfigurations: { canEdit: [statusId] } },
    });
    const view = { name: `View ${dealViewId}`, is_shared: true, arrangement: JSON.stringify(VIEW) };
    await db
      .insertInto('deal_views')
      .values({ ...view, id: dealViewId, owner_id: owner })
      .execute();
    const deal = {
      status_id: DEAL_STATUS,
      dealership_id: dealershipId,
      customer_name: 'Ann Example',
      month: currentMonth,
      owner_id: owner,
      created_by: owner,
      updated_by: owner,
    };
    const deletion = { deleted_at: new Date().toISOString(), deleted_by: owner };
    await db
      .insertInto('deals')
      .values([
        { ...deal, id: dealId, deleted_at: null, deleted_by: null },
        { ...deal, id: otherDealId, deleted_at: null, deleted_by: null },
        { ...deal, ...deletion, id: deletedDealId },
        {
          ...deal,
          id: newId(),
          status_id: ENTERED_STATUS,
          month: WAIVED_MONTH,
          deleted_at: null,
          deleted_by: null,
        },
      ])
      .execute();
    await db
      .insertInto('change_sets')
      .values({ id: changeSetId, kind: 'bulk', created_by: owner, created_by_name: 'owner' })
      .execute();
    await db
      .insertInto('audit_entries')
      .values({
        change_set_id: changeSetId,
        actor_id: owner,
        actor_name: 'owner',
        ip: '127.0.0.1',
        request_id: newId(),
        action: 'deal.deleted',
        entity: 'deal',
        record_id: deletedDealId,
        before: '{"customerName":"Ann Example"}',
      })
      .execute();
    await db
      .insertInto('deal_comments')
      .values({ id: commentId, deal_id: dealId, author_id: owner, body: 'Rang' })
      .execute();
    await db
      .insertInto('deal_attachments')
      .values({
        id: dealAttachmentId,
        deal_id: dealId,
        name: 'Contract.pdf',
        type: 'application/pdf',
        size: DOT.length,
        digest,
        created_by: owner,
      })
      .execute();
    const email = (id: string) => ({
      id,
      sender_id: owner,
      dealership_id: dealershipId,
      template_id: templateId,
      template_name: 'Template',
      template_version: 1,
      from_name: 'Owner',
      from_address: 'owner@example.com',
      to_addresses: ['tess@harbour.example'],
      cc_addresses: [],
      subject: 'Hello',
      html: '<p>Hello</p>',
      body_text: 'Hello',
      message_id: `<${id}@example.com>`,
      batch_id: batchId,
      search_text: 'hello',
    });
    const later = new Date(Date.now() + 3_600_000);
    await db
      .insertInto('emails')
      .values([
        {
          ...email(emailId),
          status: 'queued',
          next_attempt_at: later,
          cancellable_until: later,
          attachment_count: 1,
        },
        { ...email(failedEmailId), status: 'failed' },
      ])
      .execute();
    await db
      .insertInto('email_deals')
      .values([emailId, failedEmailId].map((id) => ({ email_id: id, deal_id: dealId })))
      .execute();
    const file = { name: 'Offer.pdf', type: 'application/pdf', digest, created_by: owner };
    await db
      .insertInto('email_attachments')
      .values([
        { ...file, id: attachmentId, is_used: false },
        { ...file, id: sentAttachmentId, is_used: true },
      ])
      .execute();
    await db
      .insertInto('email_attachment_uses')
      .values({ email_id: emailId, attachment_id: sentAttachmentId, position: 1 })
      .execute();
    const exportId = newId();
    await db
      .insertInto('exports')
      .values({
        id: exportId,
        user_id: owner,
        kind: 'deals',
        format: 'csv',
        name: 'Deals.csv',
        filter: '{}',
        permissions_hash: await rightsDigestOf(owner),
        size: 2,
        finished_at: new Date(),
      })
      .execute();
    await db
      .insertInto('export_chunks')
      .values({ export_id: exportId, position: 0, content: Buffer.from('ok') })
      .execute();
    const configured = await server.person({ name: 'configured' });
    await db.insertInto('email_settings').values(mailServer(configured.id)).execute();
    await db
      .insertInto('settings')
      .values({ user_id: configured.id, name: 'commission.newSales', value: '5' })
      .execute();
    const levels: [Related, string][] = [
      ['write share', 'edit'],
      ['read share', 'view'],
      ['full share', 'full'],
    ];
    const shares = [
      ['dealership', dealershipId],
      ['email-template', templateId],
      ['item', itemId],
      ['deal', dealId],
      ['deal', otherDealId],
    ].flatMap(([entity, recordId]) =>
      levels.map(([name, level]) => ({
        entity: entity!,
        record_id: recordId!,
        user_id: idOf(name),
        level: level === 'full' && entity !== 'dealership' ? 'edit' : level,
        shared_by: owner,
      })),
    );
    await db.insertInto('shares').values(shares).execute();
    const backupName = `backup_${newId()}.sql`;
    await mkdir(join(server.dataDir, 'backups'), { recursive: true });
    const backup = '-- nothing\n';
    await writeFile(join(server.dataDir, 'backups', backupName), backup);
    await db
      .insertInto('backups')
      .values({
        id: newId(),
        name: backupName,
        origin: 'uploaded',
        size: backup.length,
        file_sha256: createHash('sha256').update(backup).digest(),
        finished_at: later,
      })
      .execute();
    const [jobId, runningJobId] = [newId(), newId()];
    await db
      .insertInto('jobs')
      .values([
        { id: jobId, kind: 'export', user_id: owner, status: 'succeeded' },
        { id: runningJobId, kind: 'export', user_id: owner, status: 'running', heartbeat_at: later },
      ])
      .execute();
    const failedJobId = await addFailedJob(db, 'It failed');
    const session = await db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', bystander.id)
      .executeTakeFirstOrThrow();
    return {
      dealershipId,
      templateId,
      imageId,
      itemId,
      statusId,
      customFieldId,
      doNotContactId,
      dealId,
      otherDealId,
      commentId,
      dealAttachmentId,
      dealViewId,
      changeSetId,
      statementId,
      deletedDealId,
      emailId,
      attachmentId,
      sentAttachmentId,
      exportId,
      failedEmailId,
      batchId,
      bystanderId: bystander.id,
      strangerId: idOf('stranger'),
      configuredId: configured.id,
      sessionId: session.id,
      backupName,
      jobId,
      runningJobId,
      failedJobId,
      accountStatementId,
    };
  }

  let fieldNumber = 0;
  const close = await holdBackupLock(server);
  const { rows } = await sql<{ month: string }>`
    select to_char(now() at time zone 'Australia/Sydney', 'YYYY-MM') as month`.execute(db);
  const currentMonth = rows[0]!.month;
  const records = await makeRecords();
  await db
    .insertInto('settings')
    .values({ user_id: idOf('administrator'), name: 'commission.defaultSales', value: '5' })
    .execute();

  /** Hides the records that refusals are tested on from the personas with a restriction. */
  async function restrict(): Promise<void> {
    const restrictions: [Related, object][] = [
      ['restricted row', { restrictedRows: [records.dealId] }],
      ['restricted dealership', { restrictedDealerships: [records.dealershipId] }],
      ['restricted status', { restrictedStatuses: ['Deal', records.statusId] }],
      ['restricted first day', { dateRangeStart: '2099-01-01' }],
      ['restricted last day', { dateRangeEnd: '2000-01-01' }],
      ['restricted to own rows', { restrictedToOwn: true }],
      ['restricted columns', { viewAllColumns: false, visibleColumns: ['notes'] }],
    ];
    for (const [name, columnVisibility] of restrictions)
      await asAdmin(`PUT /permissions/user/${idOf(name)}`, { dataEntry: { columnVisibility } });
  }

  /** Creates records for a further call. Deletes earlier views, custom fields and unsent files, whose numbers are limited. */
  async function makeMoreRecords(): Promise<Records> {
    await db.deleteFrom('custom_fields').where('id', '!=', records.customFieldId).execute();
    const ofOwner = db.deleteFrom('deal_views').where('owner_id', '=', owner);
    await ofOwner.where('id', '!=', records.dealViewId).execute();
    const unsent = db.deleteFrom('email_attachments').where('is_used', '=', false);
    await unsent.where('id', '!=', records.attachmentId).execute();
    return makeRecords();
  }

  return {
    records,
    makeRecords: makeMoreRecords,
    restrict,
    currentMonth,
    digest: () => digestOf(server),
    close,
  };
}

/** Holds the backup lock until released: permitted personas get BACKUP_BUSY, and no backup runs during the matrix. */
async function holdBackupLock({ connection }: TestApp): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const takeLock = (): Promise<void> =>
    withBackupLock(connection, () => {
      locked.resolve();
      return over.promise;
    }).catch((error: Error) => {
      // The app itself takes the lock briefly at its start.
      if (error.message === errorCodes.BACKUP_BUSY.message) return takeLock();
      throw error;
    });
  const done = takeLock();
  await Promise.race([locked.promise, done]);
  return async () => {
    over.resolve();
    await done;
  };
}

/**
 * Tables that a refused call may change (its audit entry with its seal, its rate limit count), and tables that an
 * earlier allowed call may still be writing.
 */
const WRITTEN_BY_REFUSALS = new Set([
  'audit_entries',
  'audit_seals',
  'audit_seal_entries',
  'audit_head',
  'audit_counts',
  'audit_people',
  // Stores the first seal.
  'installation',
  'rate_limit_events',
  'files',
  'recurring_jobs',
  'jobs',
  'notifications',
  'sign_in_failures',
  // A job moves and computes sums; the rows that they are of are compared.
  'deal_sums',
  'deal_sum_changes',
  'deal_item_sums',
]);

/** Settings of an unreachable mail server, with a password that cannot be decrypted. */
const mailServer = (userId: string) => ({
  user_id: userId,
  smtp_host: '127.0.0.1',
  smtp_port: 9,
  smtp_secure: false,
  smtp_user: 'user',
  smtp_password: 'sealed',
  smtp_from_email: 'user@example.com',
});

/**
 * Columns that change independently of the call: use of the session, progress of an earlier export, the last look for
 * outgoing mail.
 */
const VOLATILE_COLUMNS: Record<string, string[]> = {
  // Two minutes after the last change a job stores what it counted.
  change_sets: [
    'counted_to',
    'rows',
    'added',
    'changed',
    'deleted',
    'restored',
    'first_row',
    'first_month',
    'last_month',
    'last_at',
  ],
  installation: ['mail_heartbeat_at'],
  sessions: ['last_used_at'],
  exports: ['job_id', 'row_count', 'size', 'digest', 'finished_at'],
};

/**
 * Returns a sum of hashes per table. Equal results mean that nothing has changed: each change of a row gives it another
 * place and transaction, also if its values stay the same. Only tables with volatile columns are compared by value, which
 * takes longer.
 */
async function digestOf({ db }: TestApp): Promise<Record<string, string | null>> {
  tables ??= (
    await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  ).rows.map(({ name }) => name);
  const sums = tables
    .filter((name) => !WRITTEN_BY_REFUSALS.has(name))
    .map((name) => {
      const volatile = VOLATILE_COLUMNS[name];
      const hash = volatile
        ? sql`hashtextextended((to_jsonb(t) - ${volatile}::text[])::text, 0)`
        : sql`hashtidextended(t.ctid, t.xmin::text::bigint)`;
      return sql`select ${name} as name, sum(${hash})::text as hash from ${sql.table(name)} as t`;
    });
  const { rows } = await sql<{ name: string; hash: string | null }>`
    ${sql.join(sums, sql` union all `)} order by name`.execute(db);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
let tables: string[] | undefined;
