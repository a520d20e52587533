import type { UserPermissions } from '@forecourt/contract/permissions';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import type { Viewer } from '../http/context.ts';
import { registerEventsRoute } from './events-route.ts';

test('the live stream sends permissions in the order in which they were read, also if the earlier ones take longer', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  let role: Viewer['role'] = 'user';
  const checks: (() => void)[] = [];
  const firstSlow = Promise.withResolvers<void>();
  let reads = 0;
  registerEventsRoute(app, {
    events: { listen: () => () => true } as never,
    eventBus: {
      on: (topic: string, handler: () => void) => void (topic === 'resumed' && checks.push(handler)),
    } as never,
    presence: { listen: () => () => true },
    viewerReader: () => async () => ({ userId: 'kim', role, permissions: {} }) as unknown as Viewer,
    async permissionsOf(viewer) {
      if ((reads += 1) === 1) await firstSlow.promise;
      return { role: viewer.role } as UserPermissions;
    },
  });
  const { reader, stop } = await openLiveStream(await app.listen({ port: 0 }), 'token');
  await expect.poll(() => reads).toBe(1);
  role = 'admin';
  for (const check of checks) check();
  // The second check has every chance to be faster.
  for (let count = 0; count < 100; count += 1) await new Promise(setImmediate);
  firstSlow.resolve();
  const output = await readUntil(reader, (text) => text.split('event: permissions').length === 3);
  expect([...output.matchAll(/"role":"(\w+)"/g)].map(([, sent]) => sent)).toEqual(['user', 'admin']);
  stop();
});
