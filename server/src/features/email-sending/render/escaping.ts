/**
 * Line breaks as `\n`; of other control characters only the tab stays, of those that turn text around and of
 * half characters none.
 */
const readable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Text between tags; its line breaks become `<br>`. */
export const htmlText = (text: string): string => escape(readable(text)).replaceAll('\n', '<br>');

/** Text inside a double-quoted attribute. */
export const attribute = (text: string): string => escape(readable(text).replaceAll('\n', ' '));

/** Where a link may lead: http, https, mailto and tel, nothing else; null for anything else. */
export function linkTarget(href: string): string | null {
  const isAllowed = /^(https?:\/\/|mailto:|tel:)[^\s"<>\p{C}]+$/iu.test(href);
  return isAllowed ? attribute(href) : null;
}

export const plainText = (text: string): string => readable(text);

/** A header: one line, whatever the values held. */
export const oneLineText = (text: string): string =>
  readable(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
