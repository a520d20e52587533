import { invalidField } from './errors.ts';

const MAX_LENGTH = 200;

/** Characters that end a header line or reverse the display order, so that `invoice.exe` looks like `invexe.oice`. */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Escapes in a form for characters that would end the name (HTML, multipart/form-data encoding). */
const ESCAPED: Record<string, string> = { '%22': '"', '%0A': '\n', '%0D': '\r' };

/**
 * Returns the file name sent by a browser: the last part of a path, in NFC. Throws a 400 about `file` if it is invalid,
 * or unsafe in a header or on a screen.
 */
export function fileName(filename: string): string {
  const name = filename
    .replaceAll(/%(22|0A|0D)/gi, (escaped) => ESCAPED[escaped.toUpperCase()]!)
    .split(/[/\\]/)
    .at(-1)!
    .normalize('NFC')
    .trim();
  if (FORBIDDEN_CHARACTERS.test(filename) || FORBIDDEN_CHARACTERS.test(name) || !name.isWellFormed()) {
    throw invalidField('file', 'The name of the file must not have control characters');
  }
  if (name === '' || name.length > MAX_LENGTH) {
    throw invalidField('file', `The name of the file must have 1 to ${MAX_LENGTH} characters`);
  }
  return name;
}

/** Characters that a file system refuses in a name. */
const REFUSED_CHARACTERS = /[\\/:*?"<>|]+/g;

/** Returns a text, such as a person's name in it, as the name of a file to download. */
export function asFileName(text: string, ending: string): string {
  const name = text
    .replaceAll(REFUSED_CHARACTERS, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(new RegExp(FORBIDDEN_CHARACTERS, 'gu'), '')
    .trim();
  return `${name}.${ending}`;
}

/** Common office types. Types that a mail program would run or display are not guessed: others are bytes. */
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

/** Returns the type by the file extension, regardless of browser and content. */
export function typeOf(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending]! : 'application/octet-stream';
}
