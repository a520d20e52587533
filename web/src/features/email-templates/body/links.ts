/** What a link may lead to (contract `Mark`): web, mail and phone, never a script. */
export const LINK = /^(https?:\/\/|mailto:|tel:)[^\s"<>]{1,2000}$/i;

/** An address as people type it, made into one that can be linked; null where it cannot be. */
export function linkFrom(typed: string): string | null {
  const text = typed.trim();
  if (LINK.test(text)) return text;
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return `mailto:${text}`;
  if (/^\+?[\d\s()-]{6,}$/.test(text)) return `tel:${text.replaceAll(/[\s()-]/g, '')}`;
  const address = `https://${text}`;
  return /^[^\s:/@]+\.[^\s@]+$/.test(text) && LINK.test(address) ? address : null;
}
