/**
 * Copies a text with the browser's copy command, because `navigator.clipboard` is missing on plain http. Must be called
 * in a click handler. Returns false if the browser refuses.
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
