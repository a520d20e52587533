import { mkdtemp, rm, readFile } from 'node:fs/promises';
import { startServer } from '../server/test/process.ts';
const d = await mkdtemp('/tmp/idle-');
for (let i = 0; i < 2; i++) {
  const t = performance.now();
  const s = await startServer(d, { NODE_COMPILE_CACHE: '/tmp/ncc' });
  console.log('start', (performance.now() - t).toFixed(0));
  for (const w of [8]) {
    await new Promise((r) => setTimeout(r, w * 1000));
    const st = await readFile(`/proc/${s.child.pid}/status`, 'utf8');
    console.log(w, /VmRSS.*/.exec(st)[0], /RssAnon.*/.exec(st)[0], /RssFile.*/.exec(st)[0]);
  }
  await s.stop();
}
await rm(d, { recursive: true });
