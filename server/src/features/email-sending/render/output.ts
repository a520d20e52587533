import type { Inline } from '@forecourt/contract/email-templates';
import { splitPlaceholders } from '../../email-templates/email-templates.service.ts';

/** Maximum characters of a message's HTML or text (docs/product/security.md, Documents and messages are bounded). */
const MAX_LENGTH = 1_000_000;

export class TooLarge extends Error {}

/** Concatenates text up to MAX_LENGTH; throws TooLarge beyond it. */
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

export type Values = Map<string, string>;

/** An undeclared variable, which a draft may contain, is rendered as its placeholder. */
const valueOf = (values: Values, key: string): string => values.get(key) ?? `{{${key}}}`;

/** Writes a text with its placeholders replaced in one pass: values are not scanned for placeholders. */
export function fill(output: Output, text: string, values: Values, form: (text: string) => string): void {
  for (const piece of splitPlaceholders(text))
    output.write(form('key' in piece ? valueOf(values, piece.key) : piece.text));
}

/** Writes the value of a variable, or a text in the manner of `fill`. */
export function fillInline(
  output: Output,
  inline: Exclude<Inline, { type: 'lineBreak' }>,
  values: Values,
  form: (text: string) => string,
): void {
  if (inline.type === 'variable') output.write(form(valueOf(values, inline.key)));
  else fill(output, inline.text, values, form);
}
