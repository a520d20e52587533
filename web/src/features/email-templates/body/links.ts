import { LINK_ADDRESS } from '@forecourt/contract/template-limits';

/** Completes a typed address to a valid link; null if it is not one. */
export function linkFrom(typed: string): string | null {
  const text = typed.trim();
  if (LINK_ADDRESS.test(text)) return text;
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return `mailto:${text}`;
  if (/^\+?[\d\s()-]{6,}$/.test(text)) return `tel:${text.replaceAll(/[\s()-]/g, '')}`;
  const address = `https://${text}`;
  return /^[^\s:/@]+\.[^\s@]+$/.test(text) && LINK_ADDRESS.test(address) ? address : null;
}
