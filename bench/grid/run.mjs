// Usage: node bench/grid/run.mjs [rows]
// Measures the grid on a page of its own (30 columns, 100,000 generated deals, production build) in a real Chromium and
// prints one table. Figures depend on the machine and its load; compare them within one run only.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { launchBrowser, openPage } from '../../e2e/browser.ts';
import { startGridServer } from '../../e2e/grid/grid-server.ts';
import { count, median, printTable } from '../figures.mjs';
import { watchCommit, watchEditor } from './probes.mjs';

const rows = Number(process.argv[2] ?? 100_000);
const root = join(import.meta.dirname, '../..');

function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

/** Runs `work` and returns the busy milliseconds of the page's main thread and the elapsed ones. */
async function busyTime(session, work) {
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const [before, started] = [await read(), performance.now()];
  const result = await work();
  return { busy: (await read()) - before, passed: performance.now() - started, result };
}

async function firstRows(page, url) {
  const times = [];
  for (let visit = 0; visit < 5; visit++) {
    await page.goto(`${url}?rows=${rows}`);
    await page.waitForFunction(() => window.page.firstRowsAfter > 0);
    times.push(await page.evaluate(() => window.page.firstRowsAfter));
  }
  return median(times);
}

/** Scrolls 200 steps of 50 rows, one per frame. */
async function fling(page, session) {
  const { busy, result } = await busyTime(session, () =>
    page.evaluate(async () => {
      const grid = document.querySelector('.grid-root');
      const frames = [];
      grid.scrollTop = 0;
      let last = await new Promise(requestAnimationFrame);
      for (let step = 0; step < 200; step++) {
        grid.scrollTop += 50 * 32;
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
      }
      return frames;
    }),
  );
  return { frames: result, work: busy / 200 };
}

/** Scrolls with a check: a frame is blank if one of five positions between the edges has no cell with text. */
function blankFrames(page) {
  return page.evaluate(async () => {
    const grid = document.querySelector('.grid-root');
    const { left, top, bottom } = grid.getBoundingClientRect();
    let blank = 0;
    grid.scrollTop = 0;
    for (let step = 0; step < 200; step++) {
      grid.scrollTop += 50 * 32;
      // The scroll event of a frame precedes its callbacks, which precede painting.
      await new Promise(requestAnimationFrame);
      const places = [top + 40, top + 100, (top + bottom) / 2, bottom - 100, bottom - 40];
      const seen = places.map(
        (y) => document.elementFromPoint(left + 100, y)?.closest('[role="gridcell"]')?.textContent,
      );
      if (!seen.every(Boolean)) blank += 1;
    }
    return blank;
  });
}

async function editing(page) {
  await page.evaluate(() => (document.querySelector('.grid-root').scrollTop = 0));
  await page.locator('[aria-rowindex="2"] [aria-colindex="3"]').click();
  const [editors, commits] = [[], []];
  for (let turn = 0; turn < 30; turn++) {
    const editor = await page.evaluateHandle(watchEditor);
    await page.keyboard.type('x');
    editors.push(await editor.evaluate(({ done }) => done));
    await page.keyboard.type(String(turn));
    const commit = await page.evaluateHandle(watchCommit, `x${turn}`);
    await page.keyboard.press('Enter');
    commits.push(await commit.evaluate(({ done }) => done));
    // Every tenth row is owned by another user.
    if (turn % 9 === 8) await page.keyboard.press('ArrowDown');
  }
  return { editor: median(editors), commit: median(commits) };
}

/** 200 updates a second for three seconds, each to a visible row: the worst case. */
async function updates(page, session) {
  const { busy, passed } = await busyTime(session, () =>
    page.evaluate(async () => {
      const { store } = window.page;
      const visible = store.getOrder().slice(0, 20);
      const started = performance.now();
      let sent = 0;
      while (sent < 600) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        for (; sent < (performance.now() - started) / 5 && sent < 600; sent++) {
          store.upsert([{ ...store.get(visible[sent % visible.length]), saleAmount: sent }]);
        }
      }
    }),
  );
  return (100 * busy) / passed;
}

async function sorting(page) {
  const times = [];
  for (let turn = 0; turn < 5; turn++) {
    times.push(
      await page.evaluate(
        (column) => {
          const started = performance.now();
          window.page.sort(column);
          return performance.now() - started;
        },
        turn % 2 ? 'saleAmount' : 'extra7',
      ),
    );
  }
  return median(times);
}

/** Groups the rows by one column after the other, each until it is drawn. */
async function grouping(page) {
  const times = [];
  for (let turn = 0; turn < 6; turn++) {
    times.push(
      await page.evaluate(
        async (column) => {
          const grid = document.querySelector('.grid-root');
          // Heads are rows too. The first one may be outside the view, because the active cell stays in place.
          const before = grid.ariaRowCount;
          const started = performance.now();
          window.page.groupBy(column);
          do await new Promise(requestAnimationFrame);
          while (grid.ariaRowCount === before);
          return performance.now() - started;
        },
        turn % 2 ? 'owner' : 'status',
      ),
    );
  }
  await page.evaluate(() => window.page.groupBy(null));
  return median(times);
}

/** Returns the size of the library's script and style with its part of TanStack Table, without React. */
async function kilobytes() {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      lib: { entry: join(root, 'web/src/grid/grid.ts'), formats: ['es'], fileName: 'grid' },
      rollupOptions: { external: [/^react(-dom)?(\/|$)/] },
    },
  });
  const parts = output[0].output.map((part) => part.code ?? part.source);
  return parts.reduce((sum, part) => sum + gzipSync(part).length, 0) / 1024;
}

const server = await startGridServer('production');
const browser = await launchBrowser();
try {
  const { page, close } = await openPage(browser, { viewport: { width: 1400, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const first = await firstRows(page, server.url);
  const { frames, work } = await fling(page, session);
  const blank = await blankFrames(page);
  const { editor, commit } = await editing(page);
  const busy = await updates(page, session);
  const sort = await sorting(page);
  const grouped = await grouping(page);
  const size = await kilobytes();
  await close();
  const figures = [
    ['first rows, ms', first, '< 100'],
    ['fling frame p50, ms', median(frames), ''],
    ['fling frame p95, ms', percentile(frames, 95), ''],
    ['fling main-thread work per step, ms', work, '< 24'],
    ['blank frames of 200', blank, '0'],
    ['key to focused editor, ms', editor, '< 8'],
    ['commit to painted, ms', commit, '< 20'],
    ['200 updates a second, busy %', busy, '< 25'],
    [`sort of ${count(rows)} numbers, ms`, sort, '< 150'],
    [`${count(rows)} rows grouped and drawn, ms`, grouped, '< 150'],
    ['KB gzip added (React apart)', size, '< 40'],
  ];
  printTable(
    [`${count(rows)} rows, 30 columns`, 'here', 'goal'],
    figures.map(([name, value, goal]) => [name, Number(value.toFixed(1)), goal]),
  );
} finally {
  await browser.close();
  await server.close();
}
