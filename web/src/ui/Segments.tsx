import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import type { ReactNode } from 'react';
import { labelChoices } from './choices.ts';
import styles from './Segments.module.css';

type SegmentsProps<V extends string> = Partial<SegmentedControlProps<V>> & {
  /** The options with their labels; `data` instead for options that vary. */
  labels?: Readonly<Record<V, string>>;
};

/** A choice of few options, all visible. Must be labelled by `aria-label` or `aria-labelledby`. */
export function Segments<V extends string>({ labels, ...props }: SegmentsProps<V>): ReactNode {
  return (
    <SegmentedControl
      withItemsBorders={false}
      data={labels ? labelChoices(labels) : []}
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
