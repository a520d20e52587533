import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { OutboundError, type Destination } from '../outbound/outbound.ts';
import { openBucket, type S3Account } from './s3-bucket.ts';

const account = (changes: Partial<S3Account> = {}): S3Account => ({
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  bucket: 'copies',
  pathStyle: false,
  accessKeyId: 'keeper',
  secretAccessKey: 'secret',
  ...changes,
});

/** An outbound that resolves to these addresses one after the other, and then refuses. */
function outboundOf(...addresses: string[]) {
  const asked: string[] = [];
  return {
    asked,
    async destination(host: string, port: number): Promise<Destination> {
      asked.push(`${host}:${port}`);
      const address = addresses.shift();
      if (address === undefined) throw new OutboundError('refused', host);
      return { address, port, servername: host };
    },
  };
}

test.each([
  [{}, 'copies.s3.example.com:443'],
  [{ pathStyle: true }, 's3.example.com:443'],
  [{ endpoint: '' }, 'copies.s3.eu-central-1.amazonaws.com:443'],
  [{ endpoint: 'http://10.0.0.5:9000' }, '10.0.0.5:9000'],
  [{ endpoint: 'https://[fd12::1]' }, 'fd12::1:443'],
])('a bucket with %j is opened only if the address of %s is permitted', async (changes, host) => {
  const outbound = outboundOf();
  await expect(openBucket(account(changes), outbound)).rejects.toMatchObject({ step: 'connection' });
  expect(outbound.asked).toEqual([host]);
});

test('a bucket on the internet is not opened without TLS, and one in the office is', async () => {
  const http = account({ endpoint: 'http://s3.example.com' });
  await expect(openBucket(http, outboundOf('203.0.114.9'))).rejects.toMatchObject({
    step: 'connection',
    message: 'An endpoint on the internet must begin with https://.',
  });
  (await openBucket(http, outboundOf('10.0.0.5'))).close();
});

test('a bucket whose name leads to an address that is not permitted after it was opened is not connected to', async () => {
  const outbound = outboundOf('10.0.0.5');
  const bucket = await openBucket(account({ endpoint: 'http://s3.example.com', pathStyle: true }), outbound);
  await expect(bucket.list('')).rejects.toMatchObject({
    step: 'connection',
    message: 'Connections to this endpoint are not allowed.',
  });
  expect(outbound.asked.length).toBeGreaterThan(1);
  bucket.close();
});

test('an object whose connection is cut ends with the failure of the store', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('the beginning', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bucket = await openBucket(account({ endpoint }), outboundOf('127.0.0.1', '127.0.0.1'));
  await expect(buffer(await bucket.get('key'))).rejects.toMatchObject({
    step: 'connection',
    message: 'The connection to the store was lost.',
  });
  bucket.close();
  server.close();
});

test('a list of a bucket whose pages do not end is given up', async () => {
  const page =
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken></ListBucketResult>';
  const server = createServer((_request, response) => response.end(page)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bucket = await openBucket(account({ endpoint }), outboundOf('127.0.0.1', '127.0.0.1'));
  await expect(bucket.list('')).rejects.toMatchObject({ message: 'The list of the bucket did not end.' });
  bucket.close();
  server.close();
});
