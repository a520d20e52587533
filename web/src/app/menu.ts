import type { PermissionSet } from '../platform/permission-set.ts';
import { screens, type ScreenEntry } from '../routes.tsx';

export type MenuEntry = ScreenEntry & { readonly label: string; readonly to: string };

const menu: readonly MenuEntry[] = screens.inShell.flatMap(({ path, title, menu: entry }) =>
  // The entry leads to the path without its optional part.
  entry ? [{ label: title, to: path.replace(/\/\{.*/, ''), ...entry }] : [],
);

export const menuOf = (permissions: PermissionSet, group: MenuEntry['group'], isDemo: boolean): MenuEntry[] =>
  menu.filter((entry) => entry.group === group && (isDemo || !entry.demoOnly) && entry.visible(permissions));

/** Returns the entry of a URL path: the entry with the longest matching path. */
export const activeEntry = (path: string): MenuEntry | undefined =>
  menu
    .filter(({ to, also = [] }) => [to, ...also].some((each) => path === each || path.startsWith(`${each}/`)))
    .sort((a, b) => b.to.length - a.to.length)[0];
