/** The cell's own text, without the letters of a mark. */
const textOf = (cell: Element): string => {
  const own = [...cell.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  return own?.textContent ?? '';
};

/** Whether a cell is too narrow for its text. */
export const isCutOff = (cell: Element | null): boolean =>
  cell !== null && textOf(cell) !== '' && cell.scrollWidth > cell.clientWidth;

/** Lets the pointer read what is cut off. Elements are handed on to other rows, so it is asked anew each time. */
export function titleOf(cell: Element): void {
  const title = isCutOff(cell) ? textOf(cell) : '';
  if (title === '') cell.removeAttribute('title');
  else if (cell.getAttribute('title') !== title) cell.setAttribute('title', title);
}
