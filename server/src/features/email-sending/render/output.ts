import { splitPlaceholders } from '../../email-templates/email-templates.service.ts';

/** The most that either form of a message may take up, in characters (security.md D2). */
const MAX_LENGTH = 1_000_000;

/** The template with these values is more than a message may hold. */
export class TooLarge extends Error {}

/** Joins what is written to it; ends the work with TooLarge instead of growing without limit. */
export class Output {
  readonly #parts: string[] = [];
  #length = 0;

  write(part: string): void {
    this.#length += part.length;
    if (this.#length > MAX_LENGTH) throw new TooLarge();
    this.#parts.push(part);
  }

  toString(): string {
    return this.#parts.join('');
  }
}

/** The text of a placeholder: its value, or itself where no variable is declared (a draft may have such). */
export const valueOf = (values: Map<string, string>, key: string): string => values.get(key) ?? `{{${key}}}`;

/** Writes a text with its placeholders replaced, once: what a value holds is not read again. */
export function fill(
  output: Output,
  text: string,
  values: Map<string, string>,
  form: (text: string) => string,
): void {
  for (const piece of splitPlaceholders(text))
    output.write(form('key' in piece ? valueOf(values, piece.key) : piece.text));
}
