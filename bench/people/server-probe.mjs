// Loaded into the measured server by NODE_OPTIONS. On SIGUSR2 it collects garbage and writes the memory in use and the
// event loop delay since the last signal, which cannot be measured from outside.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 5;
const file = process.env.BENCH_INSIDE;

if (isMainThread && file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const [p99, max] = [late(delay.percentile(99)), late(delay.max)];
    collect();
    delay.reset();
    appendFileSync(file, `${JSON.stringify({ p99, max, heap: process.memoryUsage().heapUsed })}\n`);
  });
}
