import { useEffect, useEffectEvent, type RefObject } from 'react';
import { parseHtmlTable } from './html-table.ts';
import { parseTsv } from './tsv.ts';
import type { BlockCommands } from './use-block-commands.ts';

/**
 * Handles the browser's copy, cut and paste events, which also work on plain http. Browsers dispatch them at the text
 * selection, so the listener is on the document; they are handled while the grid itself has the focus.
 */
export function useClipboard(
  scroller: RefObject<HTMLElement | null>,
  commands: BlockCommands,
  onCopied: () => void,
): void {
  const handle = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!data || event.defaultPrevented || document.activeElement !== scroller.current) return;
    if (event.type === 'paste') {
      const table = parseHtmlTable(data.getData('text/html')) ?? parseTsv(data.getData('text/plain'));
      event.preventDefault();
      commands.paste(table);
      return;
    }
    const copied = commands.copy();
    if (!copied) return;
    event.preventDefault();
    data.setData('text/plain', copied.text);
    if (copied.html !== null) data.setData('text/html', copied.html);
    onCopied();
    if (event.type === 'cut') commands.clear('cut');
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => handle(event);
    const kinds = ['copy', 'cut', 'paste'] as const;
    for (const kind of kinds) document.addEventListener(kind, listen);
    return () => kinds.forEach((kind) => document.removeEventListener(kind, listen));
  }, []);
}
