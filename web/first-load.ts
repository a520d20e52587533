import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const src = join(import.meta.dirname, 'src');
const pageRoots = ['main.tsx', 'app/Shell.tsx'].map((path) => join(src, path));
const screenRoots = [join(src, 'features/deals/DataEntryScreen.tsx')];

/** What only Data Entry has: whoever opens another screen does without. */
const ofScreen = /^[\\/](features[\\/]deals|grid)[\\/]/;

const isIcon = (id: string): boolean => /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id);

/** Modules with all of ours that they import before they run, the icons and the first module of each library. */
function withImports(roots: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    if (id.startsWith(src) || isIcon(id)) modules.getModuleInfo(id)?.importedIds.forEach(add);
  };
  roots.forEach(add);
  return found;
}

type Group = { name: (id: string, modules: Modules) => string | null; debugName: string; priority: number };

/**
 * The files of the first load: `page` with what every page has and what Data Entry shares with other screens,
 * `data-entry` with what is its own. Left to itself the build makes a file of nearly every module that two screens
 * share: 30 more requests, each with a kilobyte of headers. Libraries go where they are used, since of them only the
 * used parts count; an icon is a module of its own.
 * @param priority of the first of them, which takes what both need
 */
export function firstLoad(priority: number): Group[] {
  let sets: { page: ReadonlySet<string>; screen: ReadonlySet<string> } | undefined;
  const groupOf = (id: string, modules: Modules): string | null => {
    sets ??= { page: withImports(pageRoots, modules), screen: withImports(screenRoots, modules) };
    if (id.endsWith('.css') || !(id.startsWith(src) || isIcon(id))) return null;
    if (sets.page.has(id)) return 'page';
    if (!sets.screen.has(id)) return null;
    return ofScreen.test(id.slice(src.length)) ? 'data-entry' : 'page';
  };
  return ['page', 'data-entry'].map((group, at) => ({
    name: (id, modules) => (groupOf(id, modules) === group ? group : null),
    debugName: group,
    priority: priority - at,
  }));
}

type File = OutputBundle[string];
type Chunk = Extract<File, { type: 'chunk' }>;

function chunkOf(bundle: OutputBundle, name: string): Chunk {
  const found = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
  if (found?.type !== 'chunk') throw new Error(`The build has no file '${name}'.`);
  return found;
}

/**
 * Tells public/start.js which files Data Entry has of its own, since index.html is the same for all screens and names none,
 * and asks for the font before the styles do: text that is laid out without it is laid out twice.
 */
export const screenFiles = (): Plugin => ({
  name: 'screen-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const { fileName, viteMetadata } = chunkOf(bundle, 'data-entry');
      const [styles] = viteMetadata?.importedCss ?? [];
      const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'));
      return {
        html: html.replace('src="/start.js"', `$& data-script="/${fileName}" data-styles="/${styles}"`),
        tags: [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` },
            injectTo: 'head',
          },
        ],
      };
    },
  },
});

/**
 * Has the scripts of the first load compiled as a whole while they come. Left to itself Chromium compiles a function when
 * it is called first, and the page waits for each: a sixth of what it has to do before the first rows. To other browsers
 * this is a comment. It has to be the very first thing in a file.
 */
export const compiledAtOnce = (): Plugin => ({
  name: 'compiled-at-once',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const name of ['react', 'navigation', 'page', 'data-entry']) {
        const chunk = chunkOf(bundle, name);
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
      }
    },
  },
});
