import type { Sent } from '@forecourt/contract/api';
import type { Export, ExportFormat } from '@forecourt/contract/exports';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { startDownload } from '../../platform/downloads.ts';

const exportsKey = ['exports'] as const;

/** How often it is asked how far an export is, in milliseconds. */
const LOOK_MS = 700;

/** The exports of the last days, newest first; asked again while one of them is made. */
export const exportsQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: ({ signal }) => call('GET /exports', { signal, background: true }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ state: is }) => is === 'running') ? LOOK_MS : false,
  staleTime: 0,
});

function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: exportsKey }) });
}

export type NewExport = Sent<'POST /exports', 'body'>;

export const useBeginExport = () =>
  useChange(({ body, idempotencyKey }: { body: NewExport; idempotencyKey: string }) =>
    call('POST /exports', { body, idempotencyKey }),
  );

export const useDeleteExport = () =>
  useChange((id: string) => call('DELETE /exports/:id', { params: { id } }));

/** Lets the browser stream a finished file to disk, by a URL that works once. */
export async function downloadExport(id: string): Promise<void> {
  const { url } = await call('POST /exports/:id/download-ticket', { params: { id } });
  startDownload(url);
}

/** Exports these rows and downloads the file when it is ready. Answers what became of it. */
export async function exportSelection(ids: string[], format: ExportFormat): Promise<Export> {
  let made: Export = await call('POST /exports', { body: { kind: 'deals', format, ids } });
  while (made.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    made = await call('GET /exports/:id', { params: { id: made._id }, background: true });
  }
  if (made.state === 'ready') await downloadExport(made._id);
  return made;
}
