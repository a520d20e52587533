import { join } from 'node:path';

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const src = join(import.meta.dirname, 'src');
const pageRoots = ['main.tsx', 'app/Shell.tsx'].map((path) => join(src, path));
const screenRoots = [join(src, 'features/deals/DataEntryScreen.tsx')];

/** Modules with all that they import before they run. */
function withImports(roots: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    modules.getModuleInfo(id)?.importedIds.forEach(add);
  };
  roots.forEach(add);
  return found;
}

/**
 * Names the files of the first load: `page` with what every page has, `common` with what Data Entry shares with other
 * screens. Left to itself the build makes a file of nearly every module that two screens share: 30 more requests, each
 * with a kilobyte of headers. Libraries are left to it, since of them only the used parts count.
 */
export function firstLoad(): (id: string, modules: Modules) => string | null {
  let sets: { page: ReadonlySet<string>; screen: ReadonlySet<string> } | undefined;
  return (id, modules) => {
    sets ??= { page: withImports(pageRoots, modules), screen: withImports(screenRoots, modules) };
    if (!id.startsWith(src) || id.endsWith('.css')) return null;
    if (sets.page.has(id)) return 'page';
    const isOfScreen = /[\\/](features[\\/]deals|grid|texts[\\/]deal[^\\/]*)[\\/.]/.test(
      id.slice(src.length),
    );
    return sets.screen.has(id) && !isOfScreen ? 'common' : null;
  };
}
