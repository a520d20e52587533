import { errorFromResponse, errorWithoutResponse } from './api-error.ts';
import { addressOf, refusal, requestHeaders } from './api.ts';
import { readStored, storageKeys } from './storage-keys.ts';

/** Timeout of the response after the last byte, in milliseconds (docs/product/limits.md, Calls and bodies). */
const RESPONSE_MS = 15_000;

type Upload = {
  path: string;
  /** Name of the form field. */
  field: string;
  file: File;
  /** Called with the progress from 0 to 100. */
  onProgress?: (percent: number) => void;
  /** Aborts the upload, which then rejects like one without a response. */
  signal?: AbortSignal;
};

/** Uploads a file as form data. Rejects with an `ApiError`. Not by `fetch`, which reports no upload progress. */
export function uploadFile<R>({ path, field, file, onProgress, signal }: Upload): Promise<R> {
  const token = readStored(storageKeys.token);
  const form = new FormData();
  form.append(field, file);
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(path));
  for (const [name, value] of Object.entries(requestHeaders(token))) request.setRequestHeader(name, value);
  return new Promise((resolve, reject) => {
    let limit: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.((100 * loaded) / total));
    request.upload.addEventListener('load', () => {
      limit = setTimeout(() => {
        isLate = true;
        request.abort();
      }, RESPONSE_MS);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(limit);
      if (request.status === 0) return reject(errorWithoutResponse(isLate));
      const body = parsed(request.responseText);
      if (request.status < 300 && body !== null) return resolve(body as R);
      reject(refusal(errorFromResponse(request.status, body), token));
    });
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
