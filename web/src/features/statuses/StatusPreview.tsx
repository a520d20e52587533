import type { CSSProperties, ReactNode } from 'react';
import { texts } from '../../texts/statuses.ts';
import { pageColors, statusColors } from '../../ui/status-colors.ts';
import { StatusChip } from './StatusChip.tsx';
import styles from './StatusPreview.module.css';

/** Preview of a row of Data Entry and a badge with a colour, in both themes. */
export function StatusPreview({ name, color }: { name: string; color: string }): ReactNode {
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      {(['light', 'dark'] as const).map((scheme) => {
        const { row, ink, dot } = statusColors(color, scheme);
        const page = pageColors(scheme);
        const colors = {
          '--row': row,
          '--row-ink': page.ink,
          '--page': page.surface,
          '--ink': ink,
          '--dot': dot,
        };
        return (
          <div
            key={scheme}
            className={`ui-stack ui-gap-2 ui-top ${styles.theme}`}
            style={{ colorScheme: scheme, ...colors } as CSSProperties}
          >
            <p className="ui-small">{texts[scheme]}</p>
            <p className={styles.row}>
              <span className={styles.status}>{name}</span>
              <span>{texts.previewRow}</span>
            </p>
            <StatusChip color={color}>{name}</StatusChip>
          </div>
        );
      })}
    </section>
  );
}
