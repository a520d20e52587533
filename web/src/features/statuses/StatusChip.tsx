import type { CSSProperties, ReactNode } from 'react';
import { statusColors } from '../../ui/status-colors.ts';
import styles from './StatusChip.module.css';

/** A status in the colours of the current theme. */
export function StatusChip({ color, children }: { color: string; children: ReactNode }): ReactNode {
  const [light, dark] = [statusColors(color, 'light'), statusColors(color, 'dark')];
  const pair = (part: keyof typeof light): string => `light-dark(${light[part]}, ${dark[part]})`;
  const colors = { '--ground': pair('ground'), '--ink': pair('ink'), '--dot': pair('dot') };
  return (
    <span
      className={`ui-inline ui-gap-2 ui-anywhere ${styles.chip} ${styles.dotted}`}
      style={colors as CSSProperties}
    >
      {children}
    </span>
  );
}
