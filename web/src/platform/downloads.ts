/** Lets the browser stream a file to disk, by a URL that works once (product section 3, download tickets). */
export function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
