import type { CustomField } from '@forecourt/contract/custom-fields';
import type { Viewer } from '../../platform/http/context.ts';

type Seen = Pick<CustomField, 'key' | 'visibleTo' | 'active'>;

/**
 * Whether the viewer gets live events about a field: administrators for all fields, users of Data Entry for visible
 * ones (docs/product/custom-fields.md, Who sees and changes a field).
 */
export function canSee(viewer: Viewer, { key, visibleTo, active }: Seen): boolean {
  if (viewer.role === 'admin') return true;
  const { pages, dataEntry } = viewer.permissions;
  const { viewAllColumns, visibleColumns } = dataEntry.columnVisibility;
  const isVisible = viewAllColumns || visibleColumns.includes(key);
  return pages.dataEntry && isVisible && active && visibleTo === 'everybody';
}
