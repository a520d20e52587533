import { z } from 'zod';

/** What one call accepts and answers. Path parameters are written `:id` in the route's key. */
export type RouteContract = {
  /** One line for the API pages. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Fields of the answer that a caller may send back with the body: dropped before the body is read, so that
   * a PUT of what a GET answered changes nothing (product.md section 3).
   */
  computed?: readonly string[];
  /** The answer to a success; absent for 204. */
  response?: z.ZodType;
  /** The most bytes that the body may have, where 1 MB is too little. */
  bodyLimit?: number;
  /** Passwords or tokens go in or come out: nothing of it is kept, so an Idempotency-Key is not looked at. */
  secret?: true;
  /** The body is `multipart/form-data` with one file in this field; UPLOAD_LIMIT is its limit. */
  upload?: string;
  /** The most bytes that the file may have, where that is not UPLOAD_LIMIT. */
  uploadLimit?: number;
  /** The answer is a file. */
  download?: true;
  /** May take longer than 12 s: then the answer is 202 with a `jobId` (product.md section 3). */
  later?: true;
  /** Its work is one transaction that runs as a job of this kind: `later` goes with it. */
  job?: string;
  /** It changes no record, so there are no live events to look for afterwards. */
  writesNothing?: true;
  /** The status of a success. Default 200. */
  status?: 200 | 201 | 202 | 204;
};

/** `'METHOD /path'` to its contract: method, path and rights stand on one line, here and on the server. */
export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, RouteContract>;

/** An opaque id (UUIDv7 in text form, lower case). */
export const Id = z.uuid().toLowerCase();

const isOfOurTime = (text: string) => text >= '1900' && text < '2101';

/** An instant: ISO 8601 in UTC with milliseconds, from 1900 to 2100. */
export const Instant = z.iso
  .datetime({ precision: 3 })
  .refine(isOfOurTime, 'Must be a year from 1900 to 2100');

/** A time on the company's clock (TIME_ZONE), to the minute: `2026-11-20T09:30`. */
export const BusinessTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Must be a time such as 2026-11-20T09:30')
  .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), 'Must be a time such as 2026-11-20T09:30');

/** A business date such as `2026-11-20`, from 1900 to 2100. */
export const BusinessDate = z.iso
  .date('Must be a date such as 2026-11-20')
  .refine(isOfOurTime, 'Must be a year from 1900 to 2100');

/** The path parameter of calls about one record. */
export const IdParams = z.strictObject({ id: Id });

/** Raised by one with every change; a write that names an older one is answered 409 (product.md section 3). */
export const Version = z.int().min(1);

/** A small whole list. Larger lists add `page`, `limit` and `totalPages`. */
export const wholeList = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), total: z.int() });

/** One page of a list, as spec.md section 3 gives it for the email log. */
export const pagedList = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    totalPages: z.int(),
  });

/** A number in a query string: the only place where text becomes a number. */
export const queryNumber = (schema: z.ZodInt | z.ZodNumber) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number')
    .transform(Number)
    .pipe(schema);

/** No half characters and no control characters but those allowed: what a database and a mail can carry. */
const isPlain = (text: string, allowed: RegExp) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(allowed, ''));

/** Text as it is, where it only has to be something that can be stored: document runs, filters, values. */
export const plainText = (max: number) =>
  z
    .string()
    .max(max, `Must be at most ${max} characters`)
    .refine((text) => isPlain(text, /[\t\n]/g), 'Must be plain text');

/** Text that a person typed: trimmed, Unicode-normalised, one line. */
export const typedText = (max: number) =>
  z
    .string()
    .max(max * 2, `Must be at most ${max} characters`)
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => isPlain(text, /\t/g), 'Must be one line of plain text')
    .refine((text) => text.length <= max, `Must be at most ${max} characters`);

/** As `typedText`, with line breaks and tabs allowed. */
export const typedLines = (max: number) =>
  z
    .string()
    .max(max * 2, `Must be at most ${max} characters`)
    .transform((text) => text.normalize('NFC').replaceAll('\r\n', '\n').trimEnd())
    .refine((text) => isPlain(text, /[\t\n]/g), 'Must be plain text')
    .refine((text) => text.length <= max, `Must be at most ${max} characters`);

/** What is searched for, in the form in which texts are stored. Nothing typed is no search. */
export const searchText = typedText(120).transform((text) => (text === '' ? undefined : text));

/** An address as RFC 5321 knows it, without display name, group or quoted part. At most 254 characters. */
export const EmailAddress = z
  .string()
  .max(254)
  .transform((text) => text.trim())
  .pipe(
    z.email('Must be an email address').regex(/^[^\s"(),:;<>@[\\\]]+@[^\s@]+$/, 'Must be an email address'),
  );

/** What the viewer may do with a record: `true`, or the reason why not (product.md section 3). */
export const Ability = z.union([z.literal(true), z.string()]);
export type Ability = z.infer<typeof Ability>;
