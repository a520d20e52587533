import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import type { ReactNode } from 'react';
import styles from './Segments.module.css';

/** A choice of few options, all visible. Must be labelled by `aria-label` or `aria-labelledby`. */
export function Segments<V extends string>(props: SegmentedControlProps<V>): ReactNode {
  return (
    <SegmentedControl
      withItemsBorders={false}
      {...props}
      classNames={{
        root: styles.root ?? '',
        control: styles.control ?? '',
        indicator: styles.indicator ?? '',
        label: styles.label ?? '',
      }}
    />
  );
}
