/** Starts a streamed download from a single-use URL (docs/product/api.md, Uploads and downloads). */
export function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
