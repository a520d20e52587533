/** The cell below a pointer event, read from the ARIA indexes of the elements. */
export interface Hit {
  /** -1 is the header. */
  readonly row: number;
  /** Index among the visible columns; -1 is the checkbox column. */
  readonly column: number;
  readonly part: 'cell' | 'resizer' | 'editor' | 'option' | 'fill' | 'mark' | 'add';
  readonly element: HTMLElement;
}

const PARTS = [
  ['.grid-list', 'option'],
  ['.grid-editor', 'editor'],
  ['.grid-resizer', 'resizer'],
  ['.grid-fill-handle', 'fill'],
  ['.grid-row-mark', 'mark'],
  ['.grid-group-add', 'add'],
] as const;

export function hitOf(target: EventTarget | null, selectable: boolean): Hit | null {
  if (!(target instanceof Element)) return null;
  const element = target.closest<HTMLElement>('[aria-colindex]');
  const row = element?.closest('[aria-rowindex]');
  if (!element || !row) return null;
  return {
    row: Number(row.ariaRowIndex) - 2,
    column: Number(element.ariaColIndex) - (selectable ? 2 : 1),
    part: PARTS.find(([selector]) => target.closest(selector))?.[1] ?? 'cell',
    element,
  };
}
