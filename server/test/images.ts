import type { Person, Reply, TestApp } from './app.ts';

/** A red dot: a PNG of one pixel. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The head of a PNG of this size, with so many bytes altogether. */
export function pngOf(width: number, height: number, bytes = DOT.length): Buffer {
  const png = Buffer.concat([DOT, Buffer.alloc(Math.max(0, bytes - DOT.length))]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** Adds an image for templates as a browser does: as the one file of a form. */
export async function addImage(
  { app }: TestApp,
  by: Pick<Person, 'token'> | undefined,
  content: Buffer | string,
  { filename = 'logo.png', type = 'image/png', field = 'image' } = {},
): Promise<Reply> {
  const head = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: ${type}\r\n\r\n`;
  const reply = await app.inject({
    method: 'POST',
    url: '/api/email-templates/images',
    headers: {
      ...(by && { authorization: `Bearer ${by.token}` }),
      'content-type': 'multipart/form-data; boundary=b',
    },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--b--\r\n')]),
  });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}
