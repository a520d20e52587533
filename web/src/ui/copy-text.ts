/**
 * Puts a text on the clipboard by the browser's own copy command: `navigator.clipboard` is not there over plain
 * http. To be called from a click. False where the browser refuses.
 */
export function copyText(text: string): boolean {
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', fill);
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', fill);
  }
}
