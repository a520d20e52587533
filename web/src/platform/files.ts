import { errorFromAnswer } from './api-error.ts';
import { addressOf, refusal, requestHeaders } from './api.ts';
import { readStored, storageKeys } from './storage-keys.ts';

/** A small file of the server. Rejects with an `ApiError`. */
async function fetchFile(path: string, params: Record<string, string>, signal?: AbortSignal): Promise<Blob> {
  const token = readStored(storageKeys.token);
  const answer = await fetch(addressOf(path, params), {
    headers: requestHeaders(token),
    ...(signal && { signal }),
  });
  if (!answer.ok) throw refusal(errorFromAnswer(answer.status, await answer.json().catch(() => null)), token);
  return answer.blob();
}

/** Gives the browser a small file of the server to keep under this name. */
export async function downloadFile(
  path: string,
  params: Record<string, string>,
  name: string,
): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(path, params));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** One as a `data:` address, which a page may show without asking for anything. */
export async function fetchDataUrl(
  path: string,
  params: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const file = await fetchFile(path, params, signal);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
}
