import { ApiError, errorFromResponse, errorWithoutResponse } from './api-error.ts';
import { addressOf, refusal, requestHeaders } from './api.ts';
import { readStored, storageKeys } from './storage-keys.ts';

/** Timeout of the response and of pauses in its body, in milliseconds (docs/product/limits.md, Calls and bodies). */
const QUIET_MS = 15_000;

/** Rejects with an `ApiError`, or with the reason of the caller's `signal`. */
async function fetchFile(address: string, signal?: AbortSignal): Promise<Blob> {
  const token = readStored(storageKeys.token);
  const limit = new AbortController();
  const startTimer = () => setTimeout(() => limit.abort(), QUIET_MS);
  let timer = startTimer();
  try {
    const response = await fetch(address, {
      headers: requestHeaders(token),
      signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
    });
    if (!response.ok)
      throw refusal(errorFromResponse(response.status, await response.json().catch(() => null)), token);
    const timed = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        clearTimeout(timer);
        timer = startTimer();
        controller.enqueue(bytes);
      },
    });
    return await new Response(response.body?.pipeThrough(timed), { headers: response.headers }).blob();
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown instanceof ApiError ? thrown : errorWithoutResponse(limit.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

export async function downloadFile(
  path: string,
  params: Record<string, string>,
  name: string,
  query: Record<string, string> = {},
): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(addressOf(path, params, query)));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** Returns a small file as a `data:` URL. */
export async function fetchDataUrl(
  path: string,
  params: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const file = await fetchFile(addressOf(path, params), signal);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
}

/** Starts a streamed download from a single-use URL (docs/product/api.md, Uploads and downloads). */
export function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
