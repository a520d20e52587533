import type { GridRecord } from './columns.ts';
import type { ColumnLayout } from './use-column-layout.ts';

/**
 * Returns heights and column positions as CSS rules: resizing a column changes one rule instead of every mounted cell,
 * and a new row needs no style attributes.
 */
export function layoutRules<R extends GridRecord>(
  layout: ColumnLayout<R>,
  prefix: string,
  rowHeight: number,
  headerHeight: number,
  leadingWidth: number,
): string {
  const { widths, startCount, endCount, startWidth, centerStarts, totalWidth } = layout;
  const endFrom = widths.length - endCount;
  const rules = [
    `.${prefix}root{--grid-row-height:${rowHeight}px;--grid-header-height:${headerHeight}px}`,
    `.${prefix}row{width:${totalWidth}px}`,
  ];
  let pinned = leadingWidth;
  for (const [index, width] of widths.entries()) {
    let place = `left:${startWidth + (centerStarts[index - startCount] ?? 0)}px`;
    if (index < startCount) {
      place = `left:${pinned}px`;
      pinned += width;
    } else if (index >= endFrom) {
      const beyond = widths.slice(index + 1).reduce((sum, each) => sum + each, 0);
      place = `right:${beyond}px${index === endFrom ? ';margin-left:auto' : ''}`;
    }
    rules.push(`.${prefix}c${index}{${place};width:${width}px}`);
  }
  return rules.join('\n');
}
