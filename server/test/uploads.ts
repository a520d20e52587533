import type { Person, Reply, TestApp } from './app.ts';

export type SentFile = { filename?: string; type?: string; field?: string; idempotencyKey?: string };

/** Uploads a file as a browser does: as the only file of a form. */
export async function uploadFile(
  { app }: TestApp,
  by: Pick<Person, 'token'> | undefined,
  path: string,
  content: Buffer | string,
  { filename = 'file.bin', type = 'application/octet-stream', field = 'file', idempotencyKey }: SentFile = {},
): Promise<Reply> {
  const head = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: ${type}\r\n\r\n`;
  const reply = await app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      ...(by && { authorization: `Bearer ${by.token}` }),
      'content-type': 'multipart/form-data; boundary=b',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--b--\r\n')]),
  });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

/** Uploads a file for emails. */
export const addAttachment = (
  server: TestApp,
  by: Pick<Person, 'token'> | undefined,
  content: Buffer | string,
  file: SentFile = {},
): Promise<Reply> => uploadFile(server, by, '/email/attachments', content, file);
