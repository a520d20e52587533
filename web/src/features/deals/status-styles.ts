import type { DealStatus } from '@forecourt/contract/deals';
import { statusColors } from '../../ui/status-colors.ts';

/** One rule for each status: its colours as variables, light and dark. The rest is in DataEntryScreen.css. */
export const statusStyles = (statuses: readonly DealStatus[]): string =>
  statuses
    .map(({ color }, at) => {
      const [light, dark] = [statusColors(color, 'light'), statusColors(color, 'dark')];
      const pair = (part: keyof typeof light): string => `light-dark(${light[part]}, ${dark[part]})`;
      return `.deal-status-${at} { --status-row: ${pair('row')}; --status-ground: ${pair('ground')}; --status-ink: ${pair('ink')}; --status-dot: ${pair('dot')}; }`;
    })
    .join('\n');
