import type { CustomField } from '@forecourt/contract/custom-fields';
import type { Viewer } from '../../platform/http/context.ts';

type Seen = Pick<CustomField, 'key' | 'visibleTo' | 'active'>;

/**
 * Whether a live event about a field is sent to a viewer. Administrators see all fields; users of Data Entry those of
 * their rows (docs/product/custom-fields.md, Who sees and changes a field).
 */
export function canSee(viewer: Viewer, { key, visibleTo, active }: Seen): boolean {
  if (viewer.role === 'admin') return true;
  const { pages, dataEntry } = viewer.permissions;
  const { viewAllColumns, visibleColumns } = dataEntry.columnVisibility;
  const isVisible = viewAllColumns || visibleColumns.includes(key);
  return pages.dataEntry && isVisible && active && visibleTo === 'everybody';
}
