import { invalidField } from '../../platform/http/errors.ts';

const MAX_LENGTH = 200;

/** What ends a line of a header, or turns what is shown around: `invoice.exe` can look like `invexe.oice`. */
const NEVER = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** What a form writes for characters that would end the name (HTML, multipart/form-data encoding). */
const ESCAPED: Record<string, string> = { '%22': '"', '%0A': '\n', '%0D': '\r' };

/**
 * The name of a file as a browser sends it: the last part of a path, NFC. Throws a 400 about `file` where it could be
 * no name, or could be more than that in a header or on a screen.
 */
export function attachmentName(filename: string): string {
  const name = filename
    .replaceAll(/%(22|0A|0D)/gi, (escaped) => ESCAPED[escaped.toUpperCase()]!)
    .split(/[/\\]/)
    .at(-1)!
    .normalize('NFC')
    .trim();
  if (NEVER.test(filename) || NEVER.test(name) || !name.isWellFormed()) {
    throw invalidField('file', 'The name of the file must not have control characters');
  }
  if (name === '' || name.length > MAX_LENGTH) {
    throw invalidField('file', `The name of the file must have 1 to ${MAX_LENGTH} characters`);
  }
  return name;
}

/** Kinds that are sent around in offices. All others are bytes: what a mail program would run or show is not guessed. */
const TYPES: Record<string, string> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** What a file is by the ending of its name, whatever a browser says and whatever is in it. */
export function typeOf(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending]! : 'application/octet-stream';
}
