import type { SimpleBlock } from '@forecourt/contract/email-templates';
import { htmlText, linkTarget, oneLineText, plainText } from './escaping.ts';
import { fillInline, Output, type Values } from './output.ts';

type Button = Extract<SimpleBlock, { type: 'button' }>;

/** Both colours are set, since a mail program could change a single one. Their contrast is 7.6 to 1. */
const BACKGROUND = '#1f4f8f';
const FOREGROUND = '#ffffff';

export const readableAddress = (href: string): string => href.replace(/^(mailto|tel):/i, '');

/** Returns the label as one line, or the address if the label is empty. */
function labelOf({ content, href }: Button, values: Values): string {
  const line = new Output();
  for (const inline of content) fillInline(line, inline, values, (text) => text);
  return oneLineText(line.toString()) || readableAddress(href);
}

/** Writes a table with one cell, which all mail programs render. Some ignore padding of links, but not of cells. */
export function writeButtonHtml(output: Output, button: Button, values: Values): void {
  const target = linkTarget(button.href);
  if (target === null) return;
  output.write(
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tbody><tr>' +
      `<td bgcolor="${BACKGROUND}" style="border-radius:6px;background-color:${BACKGROUND};mso-padding-alt:12px 24px">` +
      `<a href="${target}" rel="noopener noreferrer" target="_blank" style="display:inline-block;` +
      `padding:12px 24px;border-radius:6px;background-color:${BACKGROUND};color:${FOREGROUND};font-weight:bold;` +
      `text-decoration:none">${htmlText(labelOf(button, values))}</a></td></tr></tbody></table>`,
  );
}

export function writeButtonText(output: Output, button: Button, values: Values): void {
  const label = plainText(labelOf(button, values));
  const address = readableAddress(button.href);
  output.write(label === address ? address : `${label}: ${address}`);
}
