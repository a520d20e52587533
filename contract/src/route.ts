import { z } from 'zod';
import { hasVisibleText, isAtMost, MAX_SEARCH_LENGTH, normaliseText } from './characters.ts';
import { EMAIL, MAX_EMAIL_LENGTH } from './email-address.ts';
import { tooLongMessage } from './too-long.ts';
import { MAX_ISSUES } from './validate.ts';

// The pages' Content-Security-Policy refuses generated code, by which zod parses faster, and reports each attempt.
if ('document' in globalThis) z.config({ jitless: true });

/** Request and response of one route. Path parameters are written `:id` in the route's key. */
export type RouteContract = {
  /** One sentence for the API pages. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Response fields that a caller may send back. They are removed before validation, so that a PUT of a GET's result
   * changes nothing (docs/product/api.md, Unknown and computed fields).
   */
  computed?: readonly string[];
  response?: z.ZodType;
  /** Maximum bytes of the body; by default 1 MB. */
  bodyLimit?: number;
  /** Contains passwords or tokens: a response stored for an Idempotency-Key is encrypted and deleted after a minute. */
  secret?: true;
  /** Refuses an Idempotency-Key with this message. */
  takesNoKey?: string;
  /** The body is `multipart/form-data` with one file in this field, limited by UPLOAD_LIMIT. */
  upload?: string;
  /** Maximum bytes of a file that is buffered in memory. Without it the file is streamed. */
  uploadLimit?: number;
  /** The response is a file. */
  download?: true;
  /** The work may take longer than 12 s; the response is then 202 with a `jobId` (docs/product/api.md, Long work). */
  later?: true;
  /** The work is one transaction that runs as a job of this kind. Requires `later`. */
  job?: string;
  /**
   * Changes rows of deals, so the caller may name the change set in the header X-Change-Set. Without the header,
   * changes of the same `minute` are one set. Use `call` for a route that can run long: other calls of the same set
   * wait for its lock. `itself` has a set of its own, or none. The body may have an `adjustmentReason`
   * (docs/product/month-close.md, After the close).
   */
  changesDeals?: 'minute' | 'call' | 'itself';
  /** Changes no record, so no live event is published. */
  writesNothing?: true;
  /** Status of a successful response; by default 200. */
  status?: 200 | 201 | 202 | 204;
  /** For status 202: whether the work was already complete, so that the response is 200. */
  isDone?: (response: never) => boolean;
};

/** Maps `'METHOD /path'` to its contract. */
export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, RouteContract>;

/** A whole number of a range. Other values are refused with `message`, an absent value with the default message. */
export const wholeNumber = (min: number, max: number, message: string) =>
  z
    .int({ error: ({ input }) => (input === undefined ? undefined : message) })
    .min(min, message)
    .max(max, message);

/** An opaque id (UUIDv7 in text form, lower case). */
export const Id = z.uuid().toLowerCase();

/** The number of an audit entry or a seal as a string. Later entries have larger numbers. */
export const Serial = z.string().regex(/^\d{1,18}$/, 'Must be a number');

const isOfOurTime = (text: string) => text >= '1900' && text < '2101';

/** An instant: ISO 8601 in UTC with milliseconds, from 1900 to 2100. */
export const Instant = z.iso
  .datetime({ precision: 3 })
  .refine(isOfOurTime, 'Must be a year from 1900 to 2100');

/** A business date such as `2026-11-20`, from 1900 to 2100. */
export const BusinessDate = z.iso
  .date('Must be a date such as 2026-11-20')
  .refine(isOfOurTime, 'Must be a year from 1900 to 2100');

const TIME_WORDS = 'Must be a time such as 2026-11-20T09:30';

/** A local time in the company's time zone (TIME_ZONE) to the minute: `2026-11-20T09:30`. */
export const BusinessTime = z
  .string()
  .regex(/T([01]\d|2[0-3]):[0-5]\d$/, TIME_WORDS)
  .refine((text) => BusinessDate.safeParse(text.slice(0, -'T09:30'.length)).success, TIME_WORDS);

/** An array that stops parsing after MAX_ISSUES errors, and parses no element if it is too long, unlike zod's own. */
const List = z.core.$constructor<z.ZodArray>('List', (inst, def) => {
  z.ZodArray.init(inst, def);
  const parse = inst._zod.parse.bind(inst._zod);
  inst._zod.parse = (payload, context) => {
    const elements = payload.value as unknown;
    if (!Array.isArray(elements) || z.core.util.sizeCaps(def.checks).some(([max]) => elements.length > max))
      return parse(payload, context);
    const values: unknown[] = [];
    for (const value of elements as unknown[]) {
      const item = def.element._zod.run({ value, issues: [] }, context) as z.core.ParsePayload;
      payload.issues.push(...z.core.util.prefixIssues(values.length, item.issues));
      values.push(item.value);
      if (payload.issues.length >= MAX_ISSUES) break;
    }
    payload.value = values;
    return payload;
  };
});

export const list = <T extends z.ZodType>(item: T, max: number, message?: string) =>
  (new List({ type: 'array', element: item }) as z.ZodArray as z.ZodArray<T>).max(max, message);

/** A record in a request. The number of its keys is checked before they are parsed. */
export const record = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(key: K, value: V, max: number) =>
  z
    .preprocess(
      (input: z.input<z.ZodRecord<K, V>>, context) => {
        if (typeof input === 'object' && Object.keys(input ?? {}).length > max)
          context.addIssue({ code: 'custom', message: `Must have at most ${max} entries`, input: input });
        return input;
      },
      z.record(key, value),
    )
    .meta({ maxProperties: max });

export const IdParams = z.strictObject({ id: Id });

/**
 * Incremented by every change. A write with an older version returns 409 (docs/product/api.md, Versions and conflicts).
 */
export const Version = z.int().min(1);

export const stored = { version: Version, createdAt: Instant, updatedAt: Instant };

/** A complete list. Larger lists add `page`, `limit` and `totalPages`. */
export const wholeList = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), total: z.int() });

/** One page of a list (docs/product/api.md, Shape of responses). */
export const pagedList = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    totalPages: z.int(),
  });

/** A number in a query string. Strings are converted to numbers only here. */
export const queryNumber = (schema: z.ZodInt | z.ZodNumber) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number')
    .transform(Number)
    .pipe(schema);

/** Whether a text can be stored and mailed: no lone surrogates, and no control characters except the allowed ones. */
const isPlain = (text: string, allowed: RegExp) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(allowed, ''));

/** Text that is stored unchanged: document runs, filters, values. */
export const plainText = (max: number) =>
  z
    .string()
    .refine((text) => isAtMost(text, max), tooLongMessage(max))
    .meta({ maxLength: max })
    .refine((text) => isPlain(text, /[\t\n]/g), 'Must be plain text');

/** Returns a typed text in its stored form; empty if no character of it is visible. */
const asStored = (text: string): string => (hasVisibleText(text) ? normaliseText(text) : '');

/** A single line typed by a user: trimmed and Unicode-normalised. */
export const typedText = (max: number) =>
  z
    .string()
    // Checked before normalisation, which can shorten the text.
    .max(max * 4, tooLongMessage(max))
    .meta({ maxLength: max })
    .transform((text) => asStored(text).trim())
    .refine((text) => isPlain(text, /\t/g), 'Must be one line of plain text')
    .refine((text) => isAtMost(text, max), tooLongMessage(max));

/** As `typedText`, with line breaks and tabs allowed. */
export const typedLines = (max: number) =>
  z
    .string()
    // Checked before normalisation, which can shorten the text.
    .max(max * 4, tooLongMessage(max))
    .meta({ maxLength: max })
    .transform((text) => asStored(text).replaceAll('\r\n', '\n').trimEnd())
    .refine((text) => isPlain(text, /[\t\n]/g), 'Must be plain text')
    .refine((text) => isAtMost(text, max), tooLongMessage(max));

/** A search text, normalised like stored texts. An empty text means no search. */
export const searchText = typedText(MAX_SEARCH_LENGTH).transform((text) => (text === '' ? undefined : text));

/** An address as in RFC 5321, without display name, group or quoted part. */
export const EmailAddress = z
  .string()
  .max(MAX_EMAIL_LENGTH)
  .transform((text) => text.trim())
  .pipe(z.email({ pattern: EMAIL, error: 'Must be an email address' }));

/** Whether the caller may act on a record: `true`, or the reason for a refusal (docs/product/api.md, Abilities). */
export const Ability = z.union([z.literal(true), z.string()]);
export type Ability = z.infer<typeof Ability>;

/**
 * One of many rows in a request, not validated here. The service validates each with the schema and yields in between,
 * so that one response has the errors of all rows and other requests are not delayed.
 */
export const uncheckedRow = (schema: z.ZodType) =>
  z.looseObject({}).meta(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
