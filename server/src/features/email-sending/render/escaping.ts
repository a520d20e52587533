/** Normalises line breaks to `\n`. Removes direction overrides, lone surrogates and control characters but the tab. */
export const plainText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

export const htmlText = (text: string): string => escape(plainText(text)).replaceAll('\n', '<br>');

export const attribute = (text: string): string => escape(plainText(text).replaceAll('\n', ' '));

/** Returns a permitted link target (http, https, mailto or tel); null for others. */
export function linkTarget(href: string): string | null {
  const isAllowed = /^(https?:\/\/|mailto:|tel:)[^\s"<>\p{C}]+$/iu.test(href);
  return isAllowed ? attribute(href) : null;
}

/** Returns a text as one line, so that it is safe in a header. */
export const oneLineText = (text: string): string =>
  plainText(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
