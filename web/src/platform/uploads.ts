import { errorFromAnswer, errorWithoutAnswer } from './api-error.ts';
import { addressOf, refusal, requestHeaders } from './api.ts';
import { readStored, storageKeys } from './storage-keys.ts';

/** After the last byte the server has so long to answer, in milliseconds (product section 3). */
const ANSWER_MS = 15_000;

type Upload = {
  path: string;
  /** The name of the field that the file is in. */
  field: string;
  file: File;
  /** Told how much of it has left, from 0 to 100. */
  onProgress: (percent: number) => void;
  /** Ends it; it then fails like one that got no answer. */
  signal?: AbortSignal;
};

/** Sends a file as a form. Rejects with an `ApiError`. `fetch` would not tell how far it is. */
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
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress((100 * loaded) / total));
    request.upload.addEventListener('load', () => {
      limit = setTimeout(() => {
        isLate = true;
        request.abort();
      }, ANSWER_MS);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(limit);
      if (request.status === 0) return reject(errorWithoutAnswer(isLate));
      const body = parsed(request.responseText);
      if (request.status < 300 && body !== null) return resolve(body as R);
      reject(refusal(errorFromAnswer(request.status, body), token));
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
