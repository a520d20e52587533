/** Normalises line breaks to `\n` and removes other control characters except the tab, bidirectional overrides and lone surrogates. */
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

/** Escapes text between tags; line breaks become `<br>`. */
export const htmlText = (text: string): string => escape(plainText(text)).replaceAll('\n', '<br>');

/** Escapes text for a double-quoted attribute. */
export const attribute = (text: string): string => escape(plainText(text).replaceAll('\n', ' '));

/** Returns an allowed link target: http, https, mailto or tel; null for any other. */
export function linkTarget(href: string): string | null {
  const isAllowed = /^(https?:\/\/|mailto:|tel:)[^\s"<>\p{C}]+$/iu.test(href);
  return isAllowed ? attribute(href) : null;
}

/** Returns one line for a header, whatever the values contain. */
export const oneLineText = (text: string): string =>
  plainText(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
