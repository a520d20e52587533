import type { ExportKind } from '@forecourt/contract/exports';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, isAdmin } from '../../platform/http/policy.ts';

/**
 * Administrators may export deals, and users with the page, dataEntry.canExport and the feature
 * (docs/product/exports-and-reports.md, Exports).
 */
const canExportDeals = (viewer: Viewer): boolean => {
  const { pages, features, dataEntry } = viewer.permissions;
  return isAdmin(viewer) || (pages.dataEntry && features.export && dataEntry.canExport);
};

export const exporter: RoutePolicy = {
  name: 'page dataEntry, feature export and canExport',
  allows: (viewer) => (canExportDeals(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

export const canExport = (viewer: Viewer, kind: ExportKind): Ability =>
  isAdmin(viewer) || (kind === 'deals' && canExportDeals(viewer)) ? true : 'NO_EXPORT';

/** Returns the only user whose exports the viewer may see; null for administrators, who see all. */
export const visibleOwner = (viewer: Viewer): string | null => (isAdmin(viewer) ? null : viewer.userId);
