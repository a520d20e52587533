import type { Export, ExportFormat } from '@forecourt/contract/exports';
import { call } from './api.ts';
import { startDownload } from './files.ts';

/** Polling interval of a running export, in milliseconds. */
export const POLL_MS = 700;

/** Downloads a finished export as a stream, by a single-use URL. */
export async function downloadExport(id: string): Promise<void> {
  const { url } = await call('POST /exports/:id/download-ticket', { params: { id } });
  startDownload(url);
}

/** Exports these rows and downloads the file when it is ready. Returns the export in its final state. */
export async function exportSelection(ids: string[], format: ExportFormat): Promise<Export> {
  let current: Export = await call('POST /exports', { body: { kind: 'deals', format, ids } });
  while (current.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    current = await call('GET /exports/:id', { params: { id: current._id }, background: true });
  }
  if (current.state === 'ready') await downloadExport(current._id);
  return current;
}
