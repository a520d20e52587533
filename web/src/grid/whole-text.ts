/** Returns the text of a cell without the letters of a mark. */
const textOf = (cell: Element): string => {
  const own = [...cell.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  return own?.textContent ?? '';
};

export const isCutOff = (cell: Element | null): boolean =>
  cell !== null && textOf(cell) !== '' && cell.scrollWidth > cell.clientWidth;

/** Sets a truncated text as the tooltip. Elements are reused for other rows, so it is checked on every hover. */
export function updateTitle(cell: Element): void {
  const title = isCutOff(cell) ? textOf(cell) : '';
  if (title === '') cell.removeAttribute('title');
  else if (cell.getAttribute('title') !== title) cell.setAttribute('title', title);
}
