import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const src = join(import.meta.dirname, 'src');
const pageRoots = ['main.tsx', 'app/Shell.tsx'].map((path) => join(src, path));
const screenRoots = [join(src, 'features/deals/DataEntryScreen.tsx')];

/** Modules used by Data Entry only: other screens do not load them. */
const isOwn = /^[\\/](features[\\/]deals|grid)[\\/]/;

const isIcon = (id: string): boolean => /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id);

/** Returns the modules with their static imports among ours, the icons and the first module of each library. */
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
 * The files of the first load: `page` with the modules of every page and those that Data Entry shares with other
 * screens, `data-entry` with its own. By default the build creates a file for nearly every module shared by two screens:
 * 30 more requests, each with a kilobyte of headers. Libraries are bundled where they are used, since only their used
 * parts are included; an icon is a module of its own.
 * @param priority of the first group, which gets the modules of both
 */
export function firstLoad(priority: number): Group[] {
  let sets: { page: ReadonlySet<string>; screen: ReadonlySet<string> } | undefined;
  const groupOf = (id: string, modules: Modules): string | null => {
    sets ??= { page: withImports(pageRoots, modules), screen: withImports(screenRoots, modules) };
    if (id.endsWith('.css') || !(id.startsWith(src) || isIcon(id))) return null;
    if (sets.page.has(id)) return 'page';
    if (!sets.screen.has(id)) return null;
    return isOwn.test(id.slice(src.length)) ? 'data-entry' : 'page';
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
 * Passes the names of Data Entry's own files to public/start.js, since index.html is the same for all screens and names
 * none, and preloads the font before the styles do: text rendered without it would be laid out twice.
 */
export const injectScreenFiles = (): Plugin => ({
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
 * Makes Chromium compile the scripts of the first load as a whole during download. By default it compiles a function at
 * its first call, and the page waits for each: a sixth of its work before the first rows. Other browsers ignore the
 * comment. It has to be at the very start of a file.
 */
export const compileEagerly = (): Plugin => ({
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
