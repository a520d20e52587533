import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { addClosedMonth, FINAL } from './closed-months.fixture.ts';

/** Difficult text: quotes, characters escaped by COPY and SQL, characters of every width, and text that looks like a script. */
const PIECES = [
  "O'Brien",
  '"',
  '\\',
  '\\.',
  '\\N',
  '\\\\.',
  '\t',
  '\n',
  '\r\n',
  '\b\f\v',
  ' ',
  '',
  'Zoë',
  'Ünïcödé',
  '日本語',
  '🚗👨‍👩‍👧',
  'مرحبا',
  '\u0301',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  '$$',
  '-- forecourt end {}',
  '\n\\.\nDROP TABLE users;\n',
  "'; drop table deals; --",
  '\\copy',
  '\\! touch /tmp/x',
  '%s',
  '{}',
  'NULL',
  '0x00',
  'é'.normalize('NFD'),
  'ﬃ',
  '\u200b',
  '<script>',
];

export type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Returns a random text of 1 to `max` characters. */
function text(random: Random, max: number): string {
  const parts = Array.from({ length: Math.floor(random() * 12) }, () => pick(random, PIECES));
  const whole = `${pick(random, ['x', 'Ann', '日', '\\'])}${parts.join('')}`;
  return Array.from(whole)
    .slice(0, max / 2)
    .join('')
    .toWellFormed();
}

/** The same without control characters, which a template cannot have. */
const plainText = (random: Random, max: number): string =>
  text(random, max).replaceAll(/[^\P{Cc}\t\n]/gu, '');

/** Fills every kind of record with difficult values, or with none at all. */
export async function fillRandomly(db: Db, files: FileStore, random: Random): Promise<void> {
  const count = (most: number): number => pick(random, [0, 1, Math.floor(random() * most)]);
  const ids = (most: number): string[] => Array.from({ length: count(most) }, () => newId());
  const users = [newId(), ...ids(8)];
  await db
    .insertInto('users')
    .values(
      users.map((id, index) => ({
        id,
        name: text(random, 120),
        email: `p${index}-${id}@example.com`,
        role: 'user',
        is_active: random() < 0.5,
        last_login: pick(random, [null, '1900-01-01T00:00:00Z', '2100-12-31T23:59:59.999999Z']),
      })),
    )
    .execute();
  const [owner] = users as [string];
  const templates = ids(5);
  for (const id of templates) {
    const content = [{ type: 'text', text: plainText(random, 400) }];
    const document = JSON.stringify({ blocks: [{ type: 'paragraph', content }] });
    await db
      .insertInto('email_templates')
      .values({
        id,
        name: `${id} ${text(random, 60)}`,
        subject: text(random, 200),
        status: 'draft',
        document,
        variables: '[]',
        owner_id: owner,
      })
      .execute();
  }
  for (const id of templates) {
    const content = Buffer.from(Array.from({ length: 1 + count(5000) }, () => Math.floor(random() * 256)));
    const { digest } = await db.transaction().execute((tx) => files.add(tx, content));
    const image = { id: newId(), type: 'image/png', width: 1, height: 1, digest, created_by: owner };
    await db.insertInto('template_images').values(image).execute();
    await db.insertInto('template_image_uses').values({ template_id: id, image_id: image.id }).execute();
  }
  const dealerships = [newId(), ...ids(5)];
  for (const id of dealerships) {
    await db
      .insertInto('dealerships')
      .values({
        id,
        name: text(random, 120),
        address: text(random, 400),
        owner_id: owner,
        default_template_id: pick(random, [null, ...templates]),
      })
      .execute();
  }
  const listed = newId();
  await db
    .insertInto('do_not_contact')
    .values({
      id: listed,
      kind: 'email',
      value: `${listed}@buyer.example`,
      reason: text(random, 200),
      added_by: pick(random, users),
    })
    .execute();
  const { fields } = await db
    .selectFrom('custom_fields')
    .select((eb) => eb.fn.countAll<number>().as('fields'))
    .executeTakeFirstOrThrow();
  const customKeys = ids(5).map((_, index) => `custom${fields + index + 1}` as const);
  for (const [position, key] of customKeys.entries()) {
    const options = [{ id: 'o1', name: text(random, 60), active: random() < 0.5 }];
    await db
      .insertInto('custom_fields')
      .values({
        id: newId(),
        key,
        name: `${key} ${text(random, 40)}`,
        type: 'select',
        help: text(random, 200),
        options: JSON.stringify(options),
        is_required: random() < 0.5,
        default_value: pick(random, [null, '"o1"']),
        visible_to: 'everybody',
        editable_by: 'administrators',
        active: random() < 0.5,
        position,
      })
      .execute();
  }
  for (const id of ids(40)) {
    await db
      .insertInto('deals')
      .values({
        id,
        status_id: '01930000-0000-7000-8000-000000000001',
        dealership_id: pick(random, dealerships),
        customer_name: text(random, 120),
        customer_number: pick(random, ['', '(0412) 345 678']),
        notes: text(random, 5000),
        vehicle: text(random, 200),
        sale_amount: pick(random, [null, 0, 0.01, 9_999_999_999.99]),
        cost_amount: pick(random, [null, 0.1, 1234.5]),
        commission_rate: pick(random, [null, 0, 33.33, 100]),
        delivery_date: pick(random, [null, '1900-01-01', '2100-12-31', '2024-02-29']),
        follow_up_at: pick(random, [null, '2026-10-04T15:59:59.999999Z']),
        deleted_at: pick(random, [null, null, '2026-01-01T00:00:00Z']),
        field_versions: JSON.stringify({ notes: 3 }),
        custom: JSON.stringify(Object.fromEntries(customKeys.map((key) => [key, text(random, 200)]))),
        month: '2026-11',
        owner_id: owner,
        created_by: pick(random, users),
        updated_by: owner,
      })
      .execute();
    const comment = { id: newId(), deal_id: id, author_id: pick(random, users), body: text(random, 2000) };
    await db
      .insertInto('deal_comments')
      .values({ ...comment, edited_at: pick(random, [null, '2026-10-04T15:59:59.999999Z']) })
      .execute();
    await db.insertInto('deal_comment_mentions').values({ comment_id: comment.id, user_id: owner }).execute();
    await db
      .insertInto('deal_comment_reads')
      .values({ user_id: owner, deal_id: id, read_up_to: comment.id })
      .execute();
    const content = Buffer.from(Array.from({ length: 1 + count(500) }, () => Math.floor(random() * 256)));
    const file = {
      id: newId(),
      deal_id: id,
      name: text(random, 200),
      type: 'application/octet-stream',
      ...(await db.transaction().execute((tx) => files.add(tx, content))),
      created_by: owner,
    };
    await db.insertInto('deal_attachments').values(file).execute();
    await addMerge(db, id, comment.id);
  }
  // Not what the trigger of a new row sets: these rows had another status.
  await sql`update deals set closed_at = '2026-01-01' where customer_number = ''`.execute(db);
  for (const id of ids(10)) {
    await db
      .insertInto('emails')
      .values({
        id,
        sender_id: owner,
        dealership_id: pick(random, dealerships),
        template_name: text(random, 60),
        template_version: 1,
        from_name: text(random, 60),
        from_address: 'a@example.com',
        to_addresses: pick(random, [[], ['a@example.com', text(random, 50), '{"x",\\}', 'NULL', '']]),
        cc_addresses: [],
        subject: text(random, 200),
        html: text(random, 3000),
        body_text: text(random, 3000),
        message_id: `<${id}@example.com>`,
        status: 'sent',
        search_text: text(random, 300),
        attachment_count: 1,
      })
      .execute();
    const content = Buffer.from(Array.from({ length: 1 + count(5000) }, () => Math.floor(random() * 256)));
    const file = {
      id: newId(),
      name: text(random, 200),
      type: 'application/pdf',
      content,
      created_by: owner,
    };
    await db
      .insertInto('email_attachments')
      .values({ ...file, is_used: true })
      .execute();
    await db
      .insertInto('email_attachment_uses')
      .values({ email_id: id, attachment_id: file.id, position: 1 })
      .execute();
  }
  await db
    .insertInto('shares')
    .values({
      entity: 'dealership',
      record_id: dealerships[0]!,
      user_id: owner,
      level: 'view',
      shared_by: owner,
    })
    .execute();
  await db
    .insertInto('settings')
    .values({
      user_id: null,
      name: newId(),
      value: JSON.stringify(text(random, 50)),
    })
    .execute();
  await addWaiver(db, random, pick(random, users));
  await addClosedMonth(db, { userId: owner, dealershipId: dealerships[0]!, text: () => text(random, 200) });
}

/** Deletes everything that `fillRandomly` inserts. */
export async function wipe(db: Db): Promise<void> {
  const triggers = (to: string) =>
    sql.raw(FINAL.map((table) => `alter table ${table} ${to} trigger user`).join(';'));
  await triggers('disable').execute(db);
  await sql`truncate emails, deals, deal_items, dealerships, contacts, email_templates, email_template_versions,
    template_images, email_attachments, items, shares, settings, files, business_months cascade`.execute(db);
  await triggers('enable').execute(db);
}

/** Adds a row that was merged into this one, with this comment, and is purged by now. */
async function addMerge(db: Db, survivor_id: string, commentId: string): Promise<void> {
  const merged = { deal_id: newId(), survivor_id };
  await db.insertInto('deal_merges').values(merged).execute();
  const part = { deal_id: merged.deal_id, kind: 'comment', part_id: commentId };
  await db.insertInto('deal_merge_parts').values(part).execute();
}

/** Adds a waiver of a month, unless there is one. */
async function addWaiver(db: Db, random: Random, waived_by: string): Promise<void> {
  const waiver = { month: '2026-11', check: 'saleMissing', reason: text(random, 500), rows: 1, waived_by };
  await db
    .insertInto('month_waivers')
    .values(waiver)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
