import { BYTE_ORDER_MARK, csvLines } from '@forecourt/contract/csv';

export function saveCsv(name: string, lines: Parameters<typeof csvLines>[0]): void {
  const content = new Blob([BYTE_ORDER_MARK + csvLines(lines)], { type: 'text/csv;charset=utf-8' });
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
