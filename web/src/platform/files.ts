import { errorFromAnswer } from './api-error.ts';
import { addressOf, refusal, requestHeaders } from './api.ts';
import { readStored, storageKeys } from './storage-keys.ts';

/**
 * A small file of the server as a `data:` address, which a page may show without asking for anything. Rejects with an
 * `ApiError`.
 */
export async function fetchDataUrl(
  path: string,
  params: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const token = readStored(storageKeys.token);
  const answer = await fetch(addressOf(path, params), { headers: requestHeaders(token), signal });
  if (!answer.ok) throw refusal(errorFromAnswer(answer.status, await answer.json().catch(() => null)), token);
  const file = await answer.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
}
