import { z } from 'zod';
import type { Secrets } from '../../platform/secrets.ts';

/** The version of the file format. It is incremented by a change that older programs cannot read. */
export const FORMAT = 1;

const HEADER = '-- forecourt backup ';
const TRAILER = '-- forecourt end ';
const FILE = '-- file ';
const FILE_LINE = new RegExp(`^${FILE}([0-9a-f]{64}) ([A-Za-z0-9+/]+={0,2})$`);

/** The first line of a backup: a summary of its contents. */
export const Header = z.object({
  format: z.literal(FORMAT),
  /** The number of the last migration of the release that wrote the file. */
  schemaVersion: z.int().min(1),
  createdAt: z.string(),
  installation: z.object({ id: z.uuid(), name: z.string().max(200), keyId: z.string().max(40) }),
  tables: z.record(z.string(), z.int().min(0)),
});
export type Header = z.infer<typeof Header>;

export const totalRows = ({ tables }: Header): number =>
  Object.values(tables).reduce((sum, count) => sum + count, 0);

/** The last line: the SHA-256 of everything before it, and its signature by the key of the installation. */
const Trailer = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), signature: z.string().max(100) });
export type Trailer = z.infer<typeof Trailer>;

const place = { table: 'backups', column: 'signature', recordId: String(FORMAT) };

export const sign = (secrets: Secrets, sha256: string): string => secrets.fingerprint(sha256, place);

export const headerLine = (header: Header): string => `${HEADER}${JSON.stringify(header)}\n`;

export const trailerLine = (secrets: Secrets, sha256: string): string =>
  `${TRAILER}${JSON.stringify({ sha256, signature: sign(secrets, sha256) } satisfies Trailer)}\n`;

const readLine =
  <T>(start: string, schema: z.ZodType<T>) =>
  (line: string): T | undefined => {
    if (!line.startsWith(start)) return undefined;
    try {
      return schema.safeParse(JSON.parse(line.slice(start.length))).data;
    } catch {
      return undefined;
    }
  };

/** Returns undefined for a line that is not a header. */
export const readHeader = readLine(HEADER, Header);
export const isTrailer = (line: string): boolean => line.startsWith(TRAILER);
export const readTrailer = readLine(TRAILER, Trailer);

/** A part of the content of a file, in a comment that psql ignores, after the last line of a downloaded backup. */
export const fileLine = (hex: string, content: Buffer): string =>
  `${FILE}${hex} ${content.toString('base64')}\n`;

/** Returns undefined for another line. */
export function readFileLine(line: string): { hex: string; content: Buffer } | undefined {
  const [, hex, text] = FILE_LINE.exec(line) ?? [];
  return hex === undefined ? undefined : { hex, content: Buffer.from(text!, 'base64') };
}
