import { join } from 'node:path';

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
