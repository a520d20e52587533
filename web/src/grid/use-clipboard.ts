import { useEffect, useEffectEvent, type RefObject } from 'react';
import { parseHtmlTable } from './html-table.ts';
import { parseTsv } from './tsv.ts';
import type { BlockCommands } from './use-block-commands.ts';

/**
 * Copy, cut and paste by the browser's own events, which work on plain http too. Browsers send them to wherever the text
 * selection is, so the document is listened to, and they are the grid's while it has the focus itself.
 */
export function useClipboard(
  scroller: RefObject<HTMLElement | null>,
  commands: BlockCommands,
  onCopied: () => void,
): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
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
    const listen = (event: ClipboardEvent) => take(event);
    const kinds = ['copy', 'cut', 'paste'] as const;
    for (const kind of kinds) document.addEventListener(kind, listen);
    return () => kinds.forEach((kind) => document.removeEventListener(kind, listen));
  }, []);
}
