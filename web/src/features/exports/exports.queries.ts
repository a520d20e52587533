import type { RequestPart } from '@forecourt/contract/api';
import type { Export, ExportFormat } from '@forecourt/contract/exports';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { startDownload } from '../../platform/files.ts';
import { useCall } from '../../platform/read-query.ts';

const exportsKey = ['exports'] as const;

/** Polling interval during an export, in milliseconds. */
const POLL_MS = 700;

/** The exports of the last days, newest first. Polled while one is running. */
export const exportsQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: ({ signal }) => call('GET /exports', { signal, background: true }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ state: is }) => is === 'running') ? POLL_MS : false,
  staleTime: 0,
});

export type NewExport = RequestPart<'POST /exports', 'body'>;

export const useBeginExport = () => useCall(exportsKey, 'POST /exports');

export const useDeleteExport = () => useCall(exportsKey, 'DELETE /exports/:id');

/** Streams a finished export from a single-use URL. */
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
