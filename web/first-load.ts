import { dirname, join, resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;

type Modules = {
  getModuleInfo(id: string): {
    code?: string | null;
    importedIds: readonly string[];
    dynamicallyImportedIds: readonly string[];
  } | null;
};

const src = join(import.meta.dirname, 'src');
const contract = join(import.meta.dirname, '../contract/src');
const main = join(src, 'main.tsx');
const firstRoots = [main, join(src, 'app/Shell.tsx'), join(src, 'features/deals/DataEntryScreen.tsx')];

const isOurs = (id: string): boolean => id.startsWith(src) || id.startsWith(contract);
const isIcon = (id: string): boolean => /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id);
const isOfDataEntry = (id: string): boolean =>
  id.startsWith(src) && /^[\\/](features[\\/]deals|grid)[\\/]/.test(id.slice(src.length));

/** Returns the modules with their imports among ours, the icons and the first module of each library. */
function withImports(
  roots: Iterable<string>,
  modules: Modules,
  kinds: readonly ('importedIds' | 'dynamicallyImportedIds')[] = ['importedIds'],
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    if (isOurs(id) || isIcon(id)) for (const kind of kinds) modules.getModuleInfo(id)?.[kind].forEach(add);
  };
  for (const root of roots) add(root);
  return found;
}

/**
 * Returns the modules that these load with `lazyAfterFirstPaint`.
 * @throws if a call is not followed by an `import()` of one of our modules
 */
const loadedAfterFirstPaint = (ids: ReadonlySet<string>, modules: Modules): string[] =>
  [...ids].flatMap((id) => {
    const calls = (modules.getModuleInfo(id)?.code ?? '')
      .split(/(?<!function )\blazyAfterFirstPaint\(/)
      .slice(1);
    return calls.map((call) => {
      const [, path = ''] = /^[^;]*?import\(['"`]([^'"`]+)/.exec(call) ?? [];
      const loaded = resolve(dirname(id), path);
      if (!modules.getModuleInfo(loaded)?.code)
        throw new Error(`${id}: lazyAfterFirstPaint needs an import() of a path.`);
      return loaded;
    });
  });

type GroupName = 'page' | 'data-entry' | 'page-more' | 'data-entry-more';

/** Returns the groups of the modules that Data Entry loads by itself: at once, or after the first paint (`more`). */
function groupsOfModules(modules: Modules): ReadonlyMap<string, GroupName> {
  const every = withImports([main], modules, ['importedIds', 'dynamicallyImportedIds']);
  const ofOthers = withImports(
    [...every].filter((id) => !isOfDataEntry(id)),
    modules,
  );
  const groups = new Map<string, GroupName>();
  const assign = (ids: ReadonlySet<string>, others: GroupName, own: GroupName): void => {
    for (const id of ids)
      if (!groups.has(id) && !id.endsWith('.css')) groups.set(id, ofOthers.has(id) ? others : own);
  };
  const first = withImports(firstRoots, modules);
  assign(new Set([...first].filter((id) => isOurs(id) || isIcon(id))), 'page', 'data-entry');
  assign(withImports(loadedAfterFirstPaint(first, modules), modules), 'page-more', 'data-entry-more');
  return groups;
}

type Group = { name: (id: string, modules: Modules) => string | null; debugName: string; priority: number };

/**
 * The files of Data Entry. By default the build creates a file for nearly every module shared by two screens: a hundred
 * more requests, each with a kilobyte of headers. What other screens use too is in the files of `page`, so that none of
 * them loads Data Entry. Libraries are bundled where they are used, since only their used parts are included; an icon is
 * a module of its own.
 * @param priority of the first group; each gets the modules that it shares with the groups after it. The group `shared` of
 * vite.config.ts has the fourth priority, and the last of these the fifth
 */
export function filesOfDataEntry(priority: number): Group[] {
  let groups: ReadonlyMap<string, GroupName> | undefined;
  return (['page', 'data-entry', 'page-more', 'data-entry-more'] as const).map((group, at) => ({
    name: (id, modules) => {
      groups ??= groupsOfModules(modules);
      return groups.get(id) === group ? group : null;
    },
    debugName: group,
    priority: group === 'data-entry-more' ? priority - at - 1 : priority - at,
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
