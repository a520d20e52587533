import type { CustomFieldType } from '@forecourt/contract/custom-field-types';
import { CustomField } from '@forecourt/contract/custom-fields';
import { Arrangement } from '@forecourt/contract/deal-views';
import { Month } from '@forecourt/contract/deals';
import { EmailTemplate } from '@forecourt/contract/email-templates';
import { Export } from '@forecourt/contract/exports';
import { isPercentage } from '@forecourt/contract/percentage';
import { BusinessDate, Id } from '@forecourt/contract/route';
import { errorsByField, validate } from '@forecourt/contract/validate';
import pg from 'pg';
import { z } from 'zod';
import { ident } from '../../platform/db/dedicated-client.ts';
import { StoredRecord } from '../../platform/viewers.ts';
import { ScriptError } from './script-reader.ts';

/** The columns of a table whose JSON the database does not validate, with their schemas. */
type Shape = {
  table: string;
  /** SQL that names the row in an error message. */
  key: string;
  schema: z.ZodObject;
  /** SQL condition of the rows to check; by default all. */
  where?: string;
};

/** A MIME type that is valid in the header of a download. */
const MimeType = z.string().regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+="?[\w.+-]+"?)*$/, 'Must be a MIME type');

const customValues: Record<CustomFieldType, z.ZodType> = {
  text: z.string(),
  longText: z.string(),
  link: z.string(),
  select: z.string(),
  number: z.number(),
  currency: z.number(),
  percent: z.number(),
  date: BusinessDate,
  checkbox: z.literal(true),
  multiSelect: z.array(z.string()),
  person: Id,
};

const definition = z
  .object({
    type: CustomField.shape.type,
    options: CustomField.shape.options,
    default_value: z.unknown(),
  })
  .refine(({ type, default_value: value }) => value === null || customValues[type].safeParse(value).success, {
    path: ['default_value'],
    message: 'Does not have the type of the field',
  });

const template = EmailTemplate.pick({ document: true, variables: true }).strip();

const setting = z
  .object({ name: z.string(), value: z.unknown() })
  .refine(
    ({ name, value }) =>
      !name.startsWith('commission.') || (typeof value === 'number' && isPercentage(value)),
    { path: ['value'], message: 'Must be a percentage' },
  );

/** A regular expression that matches only texts that `Id` accepts. */
const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

const named = z.array(z.looseObject({ userId: Id }));

/** Returns a cheap SQL condition for changes that may be invalid: only few rows of a large table need a full check. */
function mayBeWrong(fields: readonly { key: string }[]): string {
  const keys = ['sharedWith', ...fields.map(({ key }) => key)].map((key) => pg.escapeLiteral(key)).join();
  return ['before', 'after']
    .map(
      (change) => `jsonb_typeof(${change}) not in ('object', 'null') or ${change} ?| array[${keys}]
        or ${change} ->> 'owner' !~* '${UUID}' or ${change} ->> 'dealershipId' !~* '${UUID}'`,
    )
    .join(' or ');
}

/** `fields` are the definitions in the backup; they decide the types of custom values. */
function shapesOf(fields: readonly { key: string; type: CustomFieldType }[]): Shape[] {
  const custom = z.looseObject(
    Object.fromEntries(fields.map(({ key, type }) => [key, customValues[type].nullish()])),
  );
  // The parts of a change that the history of a row reads.
  const change = custom
    .extend({ owner: Id.nullish(), dealershipId: Id.nullish(), sharedWith: named.nullish() })
    .nullable();
  return [
    { table: 'permission_records', key: 'user_id', schema: z.object({ record: StoredRecord }) },
    { table: 'deal_views', key: 'id', schema: z.object({ arrangement: Arrangement }) },
    { table: 'email_templates', key: 'id', schema: template },
    { table: 'email_template_versions', key: 'id', schema: template },
    { table: 'exports', key: 'id', schema: Export.pick({ kind: true, filter: true }).strip() },
    { table: 'settings', key: 'name', schema: setting },
    { table: 'deal_attachments', key: 'id', schema: z.object({ type: MimeType }) },
    { table: 'email_attachments', key: 'id', schema: z.object({ type: MimeType }) },
    {
      table: 'deals',
      key: 'id',
      schema: z.object({ custom, field_versions: z.record(z.string(), z.int()), month: Month }),
      // Skips other rows, because the table is large.
      where: String.raw`custom <> '{}' or month !~ '^(19|20)\d\d-(0[1-9]|1[0-2])$'
        or jsonb_typeof(field_versions) <> 'object' or field_versions @? '$.* ? (@.type() <> "number")'`,
    },
    {
      table: 'audit_entries',
      key: 'id',
      schema: z.object({ before: change, after: change }),
      where: `entity = 'deal' and (${mayBeWrong(fields)})`,
    },
  ];
}

const BATCH = 500;

/** Throws ScriptError for the first invalid row of the schema in the search path. */
export async function requireShapes(client: pg.Client): Promise<void> {
  await client.query('begin');
  try {
    await requireShape(client, { table: 'custom_fields', key: 'key', schema: definition });
    const { rows: fields } = await client.query<{ key: string; type: CustomFieldType }>(
      'select key, type from custom_fields',
    );
    for (const shape of shapesOf(fields)) await requireShape(client, shape);
  } finally {
    await client.query('rollback');
  }
}

async function requireShape(client: pg.Client, { table, key, schema, where = 'true' }: Shape): Promise<void> {
  const columns = [...new Set([key, ...Object.keys(schema.shape)])].map(ident).join(', ');
  await client.query(
    `declare restored_rows no scroll cursor for select ${columns} from ${ident(table)} where ${where}`,
  );
  for (let count = BATCH; count === BATCH;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${BATCH} from restored_rows`);
    count = rows.length;
    for (const row of rows) {
      const { issues } = validate(schema, row);
      if (!issues) continue;
      const [field, message] = Object.entries(errorsByField(issues))[0]!;
      throw new ScriptError(
        `A row of ${table} cannot be read (${key} ${String(row[key])}): ${field}: ${message.replace(/\.$/, '')}.`,
      );
    }
  }
  await client.query('close restored_rows');
}
